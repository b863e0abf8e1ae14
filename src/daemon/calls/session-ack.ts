import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { Parts } from '../serve/parts.ts';

/** Moves the position of a named reader. */
export function sessionAck({ polls }: Parts, input: HandlerInput<'session.ack'>): CallOutput<'session.ack'> {
  return polls.ack(input);
}
