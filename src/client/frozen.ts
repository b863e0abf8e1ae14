import type { Clock } from '../base/clock.ts';

export interface FrozenWatch {
  readonly clock: Clock;
  /** The daemon's pid while its process is stopped; null while it runs, however slowly. */
  readonly stopped: () => number | null;
  /** Until this time the call keeps waiting, and a stop is only reported; 0: not at all. In steady milliseconds. */
  readonly untilMs: number;
  readonly tell: (text: string) => void;
  /** Ends the call. */
  readonly giveUp: (text: string) => void;
}

const LOOK_MS = 5_000;
const AGAIN_MS = 250;

/**
 * When no answer comes for a while, checks whether the daemon's process is stopped, and reports it. A slow daemon is
 * not reported: the kernel decides, not the time. Ends with the signal.
 */
export async function watchFrozen(watch: FrozenWatch, over: AbortSignal): Promise<void> {
  const { clock, stopped } = watch;
  for (let isTold = false; ; ) {
    await clock.sleep(LOOK_MS, over);
    if (over.aborted) return;
    if (stopped() === null) continue;
    // It may be about to continue after a short stop.
    await clock.sleep(AGAIN_MS, over);
    const pid = stopped();
    if (over.aborted || pid === null) continue;
    if (clock.steadyMs() >= watch.untilMs) return watch.giveUp(frozenText(pid));
    if (!isTold) watch.tell(`${frozenText(pid)}; still waiting`);
    isTold = true;
  }
}

/**
 * Waits a while for a daemon whose process is stopped; returns the problem when it still is. A change is not sent to
 * it: it would be carried out when the caller no longer expects it.
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

/** The problem, and what to do. */
export function frozenText(pid: number): string {
  return `the daemon (pid ${pid}) does not answer: its process is stopped; continue it with \`kill -CONT ${pid}\``;
}
