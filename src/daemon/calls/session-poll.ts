import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { Parts } from '../serve/parts.ts';

/** Reads what a named reader has not read yet. */
export function sessionPoll(
  { polls }: Parts,
  input: HandlerInput<'session.poll'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.poll'>> {
  return polls.poll(input, signal);
}
