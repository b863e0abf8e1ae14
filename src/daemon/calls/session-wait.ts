import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { Parts } from '../serve/parts.ts';
import { wait } from '../waits/waits.ts';

/** The results after which a caller knows how it ended, or that there is a reply. */
const TELLING: readonly string[] = ['exit', 'idle'];

/** Waits for an end, an idle agent, an event, a silence or a text. */
export async function sessionWait(
  parts: Parts,
  input: HandlerInput<'session.wait'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.wait'>> {
  const result = await wait(parts, input, signal);
  if (!signal.aborted && TELLING.includes(result.met)) parts.notices.read(result.session.id as never, result.position);
  return result;
}
