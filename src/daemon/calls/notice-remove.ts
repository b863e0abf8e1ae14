import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { removeNotice } from '../config/change-notices.ts';
import { configFile, ENVIRONMENT } from '../config/config.ts';
import { refuseInside } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';

/** Removes a notice from the config file, and sends it no more. An agent removes none: people would not be told. */
export async function noticeRemove(
  { journal, liveConfig, notices }: Parts,
  { name, caller }: HandlerInput<'notice.remove'>,
): Promise<CallOutput<'notice.remove'>> {
  refuseInside(journal, caller, 'remove a notice');
  const file = configFile(ENVIRONMENT);
  const removed = removeNotice(file, name);
  await notices.use(removed.notices);
  liveConfig.take('notices');
  return { name, file, secretFile: removed.secretFile };
}
