import { expect, test } from 'vitest';
import { realClock } from '../base/clock.ts';
import type { Outlast } from '../client/index.ts';
import { Updates } from './updates.ts';

/** A daemon in which nothing ever happens. */
const QUIET = {
  daemonStatus: async () => ({ position: 0 }),
  events: async function* (_input: object, signal: AbortSignal) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  },
} as unknown as Outlast;

const uriOf = (number: number): string => `outlast://sessions/s${number}`;

test('a caller that watches the maximum does not affect the others', () => {
  const updates = new Updates(QUIET, realClock(), () => {});
  const watch = (by: string, count: number): number =>
    Array.from({ length: count }, (_, index) => updates.watch(by, uriOf(index))).filter(Boolean).length;
  expect(watch('greedy', 300)).toBe(256);
  expect(watch('greedy', 10)).toBe(10);
  expect(updates.watch('modest', uriOf(1_000))).toBe(true);
  updates.unwatch('greedy');
  expect(watch('greedy', 300)).toBe(256);
  updates.close();
});
