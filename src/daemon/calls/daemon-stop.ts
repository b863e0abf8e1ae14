import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { refuseInside } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';

/** Stops the daemon; sessions keep running. */
export function daemonStop(
  { journal, stop }: Parts,
  { planned, caller }: HandlerInput<'daemon.stop'>,
): CallOutput<'daemon.stop'> {
  refuseInside(journal, caller, 'stop the daemon that it runs in');
  stop('a caller', planned);
  return { live: journal.count().live };
}
