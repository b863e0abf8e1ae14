import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { acknowledge } from '../owners/acknowledge.ts';
import type { Parts } from '../serve/parts.ts';

/** Records that a reader has read the end of a session, or an answer. */
export function sessionAcknowledge(
  parts: Parts,
  input: HandlerInput<'session.acknowledge'>,
): CallOutput<'session.acknowledge'> {
  return acknowledge(parts, input);
}
