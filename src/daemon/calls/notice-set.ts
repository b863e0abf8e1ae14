import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { addNotice } from '../config/change-notices.ts';
import { configFile, ENVIRONMENT } from '../config/config.ts';
import { refuseInside } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';

/** Adds a notice to the config file, and begins to send it. An agent adds none: its replies could go anywhere. */
export async function noticeSet(
  { journal, liveConfig, notices }: Parts,
  { notice, secret, replace, caller }: HandlerInput<'notice.set'>,
): Promise<CallOutput<'notice.set'>> {
  refuseInside(journal, caller, 'add a notice');
  const file = configFile(ENVIRONMENT);
  const added = addNotice(file, { notice, secret, replace });
  await notices.use(added.notices);
  liveConfig.take('notices');
  return { name: added.name, file, secretFile: added.secretFile };
}
