import { expect, test } from 'vitest';
import { uptimeMs } from '../../base/uptime.ts';
import { startedAtMs } from './first.ts';

const NOW_MS = 1_800_000_000_000;

test('a container starts with its first process, and a machine with its kernel', () => {
  const aMinuteAgo = String(Math.floor(uptimeMs() / 10) - 6_000);
  expect(NOW_MS - startedAtMs(NOW_MS, aMinuteAgo)).toBeGreaterThanOrEqual(60_000);
  expect(NOW_MS - startedAtMs(NOW_MS, aMinuteAgo)).toBeLessThan(70_000);
  for (const start of ['0', '', 'Sun_Nov_15']) {
    expect(Math.abs(NOW_MS - startedAtMs(NOW_MS, start) - uptimeMs())).toBeLessThan(5_000);
  }
});
