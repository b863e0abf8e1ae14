import type { Clock } from '../base/clock.ts';

export interface FrozenWatch {
  readonly clock: Clock;
  /** The daemon's pid while its process is stopped; null while it runs, however slowly. */
  readonly stopped: () => number | null;
  /** Until then the call waits on, and it is only told of; 0: not at all. In steady milliseconds. */
  readonly untilMs: number;
  readonly tell: (text: string) => void;
  /** Ends the call. */
  readonly giveUp: (text: string) => void;
}

const LOOK_MS = 5_000;
const AGAIN_MS = 250;

/**
 * Looks after a while without an answer whether the daemon's process is stopped, and says so. One that is only slow is
 * not: it is the kernel that is asked, not the time. Ends with the signal.
 */
export async function watchFrozen(watch: FrozenWatch, over: AbortSignal): Promise<void> {
  const { clock, stopped } = watch;
  for (let isTold = false; ; ) {
    await clock.sleep(LOOK_MS, over);
    if (over.aborted) return;
    if (stopped() === null) continue;
    // It may be on its way out of a short stop.
    await clock.sleep(AGAIN_MS, over);
    const pid = stopped();
    if (over.aborted || pid === null) continue;
    if (clock.steadyMs() >= watch.untilMs) return watch.giveUp(frozenText(pid));
    if (!isTold) watch.tell(`${frozenText(pid)}; waiting on`);
    isTold = true;
  }
}

/**
 * Waits a while for a daemon whose process is stopped; gives what is wrong when it still is. What changes something is
 * not sent to it: it would be done when nobody expects it any more.
 */
export async function untilRunning(
  { clock, stopped }: Pick<FrozenWatch, 'clock' | 'stopped'>,
  signal?: AbortSignal,
): Promise<string | null> {
  const deadlineMs = clock.steadyMs() + LOOK_MS;
  for (let pid = stopped(); pid !== null; pid = stopped()) {
    if (clock.steadyMs() >= deadlineMs) return frozenText(pid);
    await clock.sleep(AGAIN_MS, signal);
    signal?.throwIfAborted();
  }
  return null;
}

/** What is wrong, and what helps. */
export function frozenText(pid: number): string {
  return `the daemon (pid ${pid}) does not answer: its process is stopped; let it go on with \`kill -CONT ${pid}\``;
}
