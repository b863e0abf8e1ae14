import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { refuseInside } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';

/** Sends a test message to one notice, once. An agent sends none: it would reach people by it. */
export async function noticeTest(
  { journal, notices }: Parts,
  { name, caller }: HandlerInput<'notice.test'>,
): Promise<CallOutput<'notice.test'>> {
  refuseInside(journal, caller, 'send a test notice');
  const notice = notices.current().find((each) => each.name === name);
  if (notice === undefined) {
    const names = notices.current().map((each) => each.name);
    const known = names.length === 0 ? 'add one with `outlast notify setup`' : `available: ${names.join(', ')}`;
    throw new OutlastError('input_invalid', `there is no notice "${name}"; ${known}`);
  }
  const sent = await notices.test(notice);
  return { sent: sent.ok, why: sent.ok ? null : sent.why };
}
