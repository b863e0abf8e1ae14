import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import type { Parts } from '../serve/parts.ts';
import { styledView } from '../views/styled-view.ts';

/** The current screen. */
export async function sessionScreen(
  { sessions, terminals }: Parts,
  input: HandlerInput<'session.screen'>,
): Promise<CallOutput<'session.screen'>> {
  const { session } = sessions.find(input.session);
  const terminal = terminals[terminalOf(session)];
  if (!input.styled) {
    const { rows, columns, cursor } = await terminal.screen(refOf(session));
    return { rows: [...rows], columns, cursor };
  }
  const seen = await terminal.styled(refOf(session), { above: input.above, skip: input.skip, now: false });
  return { rows: [...seen.rows], columns: seen.columns, cursor: seen.cursor, styled: styledView(seen) };
}
