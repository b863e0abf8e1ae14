import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { Parts } from '../serve/parts.ts';
import { wait } from '../waits/waits.ts';

/** Waits for an end, an idle agent, an event, a silence or a text. */
export function sessionWait(
  parts: Parts,
  input: HandlerInput<'session.wait'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.wait'>> {
  return wait(parts, input, signal);
}
