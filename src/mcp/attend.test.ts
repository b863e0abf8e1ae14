import { expect, test } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { attend } from './attend.ts';
import type { Call } from './tool.ts';

/** Lets other pending work run. */
const others = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A clock whose sleeps end at once, although their time has passed. */
function quickClock(): Clock {
  let nowMs = 1_000;
  return {
    wallMs: () => nowMs,
    steadyMs: () => nowMs,
    sleep: async (ms) => {
      await others();
      nowMs += ms;
    },
  };
}

interface Reported {
  readonly progress: number;
  readonly total: number;
  readonly message: string;
}

function callOf(signal: AbortSignal, reported: Reported[], onReported: () => void): Call {
  const progress = (sofar: Reported): void => {
    reported.push(sofar);
    onReported();
  };
  return { clock: quickClock(), signal, progress } as Partial<Call> as Call;
}

test('a wait is reported every five seconds, and no more once it is over', async () => {
  const reported: Reported[] = [];
  const waited = Promise.withResolvers<string>();
  const call = callOf(
    new AbortController().signal,
    reported,
    () => reported.length === 4 && waited.resolve('it happened'),
  );
  expect(await attend(call, 'waiting', 120_000, waited.promise)).toBe('it happened');
  for (let i = 0; i < 10; i += 1) await others();
  expect(reported.map(({ progress }) => progress)).toEqual([0, 5, 10, 15]);
  expect(reported.at(-1)).toEqual({ progress: 15, total: 120, message: 'waiting: 15 s' });
});

test('a caller that cancels its call gets no more reports, also when the wait continues', async () => {
  const reported: Reported[] = [];
  const over = new AbortController();
  const waited = Promise.withResolvers<string>();
  const attended = attend(
    callOf(over.signal, reported, () => reported.length === 2 && over.abort()),
    'waiting',
    120_000,
    waited.promise,
  );
  for (let i = 0; i < 10; i += 1) await others();
  expect(reported.map(({ progress }) => progress)).toEqual([0, 5]);
  waited.reject(new Error('taken back'));
  await expect(attended).rejects.toThrow('taken back');
});
