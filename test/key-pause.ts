import { realClock } from '../src/base/clock.ts';

const MS = 20;

/**
 * Passes the time that a person takes from one key to the next. tmux takes keys within a millisecond of others for a
 * paste, and runs no command for them.
 */
export function keyPause(): Promise<void> {
  return realClock().sleep(MS);
}
