import { expect, test } from 'vitest';
import { retryInMs } from './retry.ts';

test('the longer the silence, the longer the pause until the next poll', () => {
  expect([0, 20_000, 100_000, 200_000, 10_000_000].map(retryInMs)).toEqual([5_000, 10_000, 30_000, 60_000, 60_000]);
});
