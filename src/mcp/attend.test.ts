import { expect, test } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { attend } from './attend.ts';
import type { Call } from './tool.ts';

/** Lets everybody else have a turn. */
const others = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A clock whose sleeps are over at once, and have passed all the same. */
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

interface Heard {
  readonly progress: number;
  readonly total: number;
  readonly message: string;
}

function callOf(signal: AbortSignal, heard: Heard[], onHeard: () => void): Call {
  const progress = (sofar: Heard): void => {
    heard.push(sofar);
    onHeard();
  };
  return { clock: quickClock(), signal, progress } as Partial<Call> as Call;
}

test('a wait is told of every five seconds, and no more once it is over', async () => {
  const heard: Heard[] = [];
  const waited = Promise.withResolvers<string>();
  const call = callOf(new AbortController().signal, heard, () => heard.length === 4 && waited.resolve('it happened'));
  expect(await attend(call, 'waiting', 120_000, waited.promise)).toBe('it happened');
  for (let i = 0; i < 10; i += 1) await others();
  expect(heard.map(({ progress }) => progress)).toEqual([0, 5, 10, 15]);
  expect(heard.at(-1)).toEqual({ progress: 15, total: 120, message: 'waiting: 15 s' });
});

test('a caller that takes its call back is told nothing more, also when the wait goes on', async () => {
  const heard: Heard[] = [];
  const over = new AbortController();
  const waited = Promise.withResolvers<string>();
  const attended = attend(
    callOf(over.signal, heard, () => heard.length === 2 && over.abort()),
    'waiting',
    120_000,
    waited.promise,
  );
  for (let i = 0; i < 10; i += 1) await others();
  expect(heard.map(({ progress }) => progress)).toEqual([0, 5]);
  waited.reject(new Error('taken back'));
  await expect(attended).rejects.toThrow('taken back');
});
