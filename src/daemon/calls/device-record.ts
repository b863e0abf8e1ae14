import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { deciderOf } from '../owners/decider.ts';
import type { Parts } from '../serve/parts.ts';

/** Records what happened to a browser of the web page. From inside a session nobody is signed in, or said to be. */
export function deviceRecord(
  { journal, notices, clock }: Pick<Parts, 'journal' | 'notices' | 'clock'>,
  { did, device, browser, grants, by, caller }: HandlerInput<'device.record'>,
): CallOutput<'device.record'> {
  const { pid, inside } = deciderOf(caller);
  const [session] = inside;
  if (session !== undefined)
    throw new OutlastError('decider_refused', `process ${pid} runs inside ${session}, and may not record devices`);
  const atMs = clock.wallMs();
  const { number } = journal.note({ event: `device.${did}`, device, browser, grants, by }, atMs);
  if (did === 'signed_in') notices.signedIn({ browser: browser ?? 'a browser', grants, by, atMs });
  return { number };
}
