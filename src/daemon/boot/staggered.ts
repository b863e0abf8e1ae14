import type { Clock } from '../../base/clock.ts';

/** How many run at once, and how far apart they start. */
export interface Pace {
  readonly atOnceMax: number;
  readonly apartMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Calls a function for each item, a few at a time and never two at the same moment; returns the results in order. */
export async function staggered<T, R>(
  all: readonly T[],
  { atOnceMax, apartMs, clock, signal }: Pace,
  work: (one: T) => Promise<R>,
): Promise<(R | undefined)[]> {
  const results = Array<R | undefined>(all.length).fill(undefined);
  const busy = new Set<Promise<void>>();
  for (const [i, one] of all.entries()) {
    if (signal.aborted) break;
    if (i > 0) await clock.sleep(apartMs, signal);
    if (busy.size >= atOnceMax) await Promise.race(busy);
    if (signal.aborted) break;
    const doing: Promise<void> = work(one).then((result) => {
      results[i] = result;
      busy.delete(doing);
    });
    busy.add(doing);
  }
  await Promise.all(busy);
  return results;
}
