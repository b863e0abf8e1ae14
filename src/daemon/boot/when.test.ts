import { expect, test } from 'vitest';
import type { Claim } from '../../agent/seam/conversations.ts';
import { agoMs, downAt, isStale, type Times } from './when.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW_MS = 1_000 * HOUR_MS;
const BOOT_MS = NOW_MS - 10 * MINUTE_MS;
const TIMES: Times = { nowMs: NOW_MS, bootAtMs: BOOT_MS, downAtMs: BOOT_MS - 8 * HOUR_MS, sleptAtMs: null };
const WINDOW_MS = 20 * MINUTE_MS;
const claim = (status: Claim['status']): Claim => ({ pid: 1, start: '1', status, atMs: null });

test('the age of what stopped with the machine is counted from then, however long it was off', () => {
  const down = BOOT_MS - 8 * HOUR_MS;
  expect(agoMs(down - 5 * MINUTE_MS, TIMES)).toBe(5 * MINUTE_MS);
  expect(isStale(down - 5 * MINUTE_MS, null, TIMES, WINDOW_MS)).toBe(false);
  expect(isStale(down - 25 * MINUTE_MS, null, TIMES, WINDOW_MS)).toBe(true);
  // Written after the daemon's last sign of life: it was active to the end.
  expect(agoMs(down + MINUTE_MS, TIMES)).toBe(0);
});

test('the age of what was active since the boot is counted from now, or from the sleep', () => {
  expect(agoMs(NOW_MS - 3 * MINUTE_MS, TIMES)).toBe(3 * MINUTE_MS);
  const slept: Times = { ...TIMES, bootAtMs: 0, sleptAtMs: NOW_MS - 9 * HOUR_MS };
  expect(agoMs(NOW_MS - 9 * HOUR_MS - MINUTE_MS, slept)).toBe(MINUTE_MS);
});

test('a busy process may have been silent for an hour', () => {
  const atMs = NOW_MS - 50 * MINUTE_MS;
  const times = { ...TIMES, bootAtMs: 0 };
  expect(isStale(atMs, claim('idle'), times, WINDOW_MS)).toBe(true);
  expect(isStale(atMs, claim('busy'), times, WINDOW_MS)).toBe(false);
  expect(isStale(atMs - 15 * MINUTE_MS, claim('busy'), times, WINDOW_MS)).toBe(true);
});

test('the machine went down at the last sign of life before it started', () => {
  expect(downAt(5, [3, 8, 12], 10)).toBe(8);
  expect(downAt(9, [3, 8, 12], 10)).toBe(9);
  expect(downAt(11, [12], 10)).toBe(null);
  expect(downAt(null, [3], 10)).toBe(null);
});
