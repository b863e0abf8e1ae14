import type { CallOutput } from '../../api/contract.ts';
import type { Parts } from '../serve/parts.ts';

/** Handles a caller's report that the machine woke up. */
export function daemonWake({ sleepDetector }: Parts): CallOutput<'daemon.wake'> {
  const { away, isNew } = sleepDetector.woke();
  return { ...away, new: isNew };
}
