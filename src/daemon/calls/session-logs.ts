import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { Logs } from '../logs/read-logs.ts';
import { refuseCommand } from '../owners/refusals.ts';
import type { Parts } from '../serve/parts.ts';

/** Reads the logs of an agent session, and follows them until it has ended. */
export async function* sessionLogs(
  parts: Parts,
  { session: word, ...input }: HandlerInput<'session.logs'>,
  signal: AbortSignal,
): AsyncGenerator<CallOutput<'session.logs'>> {
  const { session } = parts.sessions.find(word);
  refuseCommand(session);
  yield* new Logs(parts, session.id, input).read(signal);
}
