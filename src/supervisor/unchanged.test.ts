import { expect, test } from 'vitest';
import { Unchanged } from './unchanged.ts';

test('an age is counted from the last change, and at the first look it is that of the file', () => {
  const unchanged = new Unchanged();
  expect(unchanged.ageMs('a', 1, 100_000, 40_000)).toBe(40_000);
  expect(unchanged.ageMs('a', 1, 110_000, 0)).toBe(50_000);
  expect(unchanged.ageMs('a', 2, 111_000, 0)).toBe(0);
  expect(unchanged.ageMs('a', 2, 121_000, 0)).toBe(10_000);
});

test('setting the clock makes nothing younger or older', () => {
  const unchanged = new Unchanged();
  unchanged.ageMs('a', 1, 0, 0);
  expect(unchanged.ageMs('a', 1, 10_000, -3_600_000)).toBe(10_000);
  expect(unchanged.ageMs('a', 1, 20_000, 3_600_000)).toBe(20_000);
});

test('time without a look does not count', () => {
  const unchanged = new Unchanged();
  unchanged.ageMs('a', 1, 0, 5_000);
  expect(unchanged.ageMs('a', 1, 60_000, 65_000)).toBe(0);
  expect(unchanged.ageMs('a', 1, 70_000, 0)).toBe(10_000);
  unchanged.forget('a');
  expect(unchanged.ageMs('a', 1, 200_000, 7)).toBe(7);
});
