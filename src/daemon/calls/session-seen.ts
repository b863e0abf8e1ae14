import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { markSeen } from '../owners/seen.ts';
import type { Parts } from '../serve/parts.ts';

/** Takes the word of a reader that it has read the end of a session, or an answer. */
export function sessionSeen(parts: Parts, input: HandlerInput<'session.seen'>): CallOutput<'session.seen'> {
  return markSeen(parts, input);
}
