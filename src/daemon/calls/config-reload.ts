import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { refuseInside } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';

/** Reads the config again. A session must not change the limits and rules that it runs under. */
export function configReload(
  { journal, liveConfig }: Parts,
  { caller }: HandlerInput<'config.reload'>,
): CallOutput<'config.reload'> {
  refuseInside(journal, caller, 'reload the config');
  const { unread, waiting, changed, ...rest } = liveConfig.reload();
  return { ...rest, unread: [...unread], waiting: [...waiting], changed: [...changed] };
}
