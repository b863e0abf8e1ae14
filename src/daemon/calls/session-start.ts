import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { placeAt } from '../journal/cursor.ts';
import { callerSession } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';
import { startRequested } from '../start/start-request.ts';
import { viewOf } from '../views/view.ts';

/** Starts a command or an agent. */
export async function sessionStart(
  parts: Parts,
  given: HandlerInput<'session.start'>,
): Promise<CallOutput<'session.start'>> {
  const { config, journal } = parts;
  const owner = callerSession(journal, given.caller);
  const { row, notes, warnings, prompt } = await startRequested(parts, given, { owner });
  return {
    session: viewOf(config.state, row),
    warnings: [...notes, ...warnings],
    ...placeAt(journal, row.position),
    prompt,
  };
}
