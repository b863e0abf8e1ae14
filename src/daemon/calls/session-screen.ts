import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import type { Parts } from '../serve/parts.ts';

/** The current screen. */
export async function sessionScreen(
  { sessions, terminals }: Parts,
  input: HandlerInput<'session.screen'>,
): Promise<CallOutput<'session.screen'>> {
  const { session } = sessions.find(input.session);
  const { rows, columns, cursor } = await terminals[terminalOf(session)].screen(refOf(session));
  return { rows: [...rows], columns, cursor };
}
