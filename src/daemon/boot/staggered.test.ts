import { expect, test } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { staggered } from './staggered.ts';

/** A clock that advances only in sleeps. */
function slowClock(): Clock & { nowMs: number } {
  const clock = {
    nowMs: 0,
    wallMs: () => clock.nowMs,
    steadyMs: () => clock.nowMs,
    sleep: async (ms: number) => {
      clock.nowMs += ms;
    },
  };
  return clock;
}

const signal = new AbortController().signal;

test('calls start apart, and their results are in order', async () => {
  const clock = slowClock();
  const begunMs: number[] = [];
  const results = await staggered([1, 2, 3], { atOnceMax: 9, apartMs: 500, clock, signal }, async (one) => {
    begunMs.push(clock.nowMs);
    return one * 10;
  });
  expect([results, begunMs]).toEqual([
    [10, 20, 30],
    [0, 500, 1_000],
  ]);
});

test('no more than the maximum run at once', async () => {
  const ends: (() => void)[] = [];
  let most = 0;
  let now = 0;
  const all = staggered([1, 2, 3, 4, 5], { atOnceMax: 2, apartMs: 0, clock: slowClock(), signal }, async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise<void>((resolve) => ends.push(resolve));
    now -= 1;
  });
  for (let done = 0; done < 5; ) {
    const end = ends[done];
    if (end !== undefined) done += 1;
    end?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
  expect(most).toBe(2);
});

test('calls that have not started at the end never start', async () => {
  const stopping = new AbortController();
  const done: number[] = [];
  const pace = { atOnceMax: 1, apartMs: 1, clock: slowClock(), signal: stopping.signal };
  const results = await staggered([1, 2, 3], pace, async (one) => {
    done.push(one);
    if (one === 2) stopping.abort();
    return one;
  });
  expect([done, results]).toEqual([
    [1, 2],
    [1, 2, undefined],
  ]);
});
