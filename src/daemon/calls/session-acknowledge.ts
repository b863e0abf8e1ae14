import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { positionOf } from '../journal/cursor.ts';
import { acknowledge } from '../owners/acknowledge.ts';
import { callerSession } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';

/** Records that a reader has read the end of a session, or an answer. */
export function sessionAcknowledge(
  parts: Parts,
  input: HandlerInput<'session.acknowledge'>,
): CallOutput<'session.acknowledge'> {
  const { session } = parts.sessions.find(input.session);
  const upTo = input.position === undefined ? parts.journal.head() : positionOf(parts.journal, input.position);
  // Only people are told; an agent that reads does not read for them.
  if (callerSession(parts.journal, input.caller) === null) parts.notices.read(session.id, upTo);
  return acknowledge(parts, input);
}
