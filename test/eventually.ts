import { realClock } from '../src/base/clock.ts';

const PAUSE_MS_MAX = 150;

/**
 * Repeats a check every few milliseconds until it returns something true. At the deadline it fails with the last
 * result.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  options: { msMax?: number; what?: string } = {},
): Promise<Exclude<NonNullable<T>, false>> {
  const clock = realClock();
  const { msMax = 60_000, what = 'what was expected' } = options;
  const deadlineMs = clock.steadyMs() + msMax;
  let pauseMs = 10;
  let last: unknown;
  while (clock.steadyMs() < deadlineMs) {
    try {
      const seen = await check();
      if (seen) return seen as Exclude<NonNullable<T>, false>;
      last = seen;
    } catch (error) {
      last = error;
    }
    await clock.sleep(pauseMs);
    // A slow condition is checked less often: each check may be a call to a busy daemon.
    pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 1.3);
  }
  const seen = last instanceof Error ? last.stack : JSON.stringify(last);
  throw new Error(`${what} did not happen within ${msMax} ms; last seen: ${seen}`);
}
