import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { type Lock, takeLock } from '../../base/lock.ts';
import type { Log } from '../../base/log.ts';
import { signOwner } from '../../base/owner.ts';
import type { ServiceNotices } from './notify.ts';

export interface LockWait {
  readonly path: string;
  /** Wait for another daemon to end, for a daemon under a service manager. */
  readonly waits: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly service: Pick<ServiceNotices, 'waiting'>;
}

const LOOK_MS = 250;
const TELL_MS = 20_000;

/** The lock of the state folder. Without waiting, another daemon is an error. */
export async function lockOf({ path, waits, clock, log, service }: LockWait): Promise<Lock> {
  let tellAtMs = clock.steadyMs();
  for (let lock = takeLock(path); ; lock = takeLock(path)) {
    if (lock !== null) return signed(lock, path, log);
    if (!waits) throw new OutlastError('daemon_running', `a daemon has ${path} already`);
    if (clock.steadyMs() >= tellAtMs) {
      log('another daemon is running: waiting for it to end');
      await service.waiting();
      tellAtMs = clock.steadyMs() + TELL_MS;
    }
    await clock.sleep(LOOK_MS);
  }
}

/** Writes the pid, so that callers find the daemon with the lock while it does not answer. */
function signed(lock: Lock, path: string, log: Log): Lock {
  try {
    signOwner(dirname(path));
  } catch (error) {
    // For example on a full disk. Callers then know less, but nothing else fails.
    log('the pid of the daemon could not be saved', { why: String(error) });
  }
  return lock;
}
