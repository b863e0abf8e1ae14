import { expect, test } from 'vitest';
import { durationText } from './duration.ts';

test('durations are shown in at most two units', () => {
  const shown = [-5, 0, 340, 9_940, 42_000, 90_000, 3_600_000, 5_400_000, 100_000_000].map(durationText);
  expect(shown).toEqual(['0.0s', '0.0s', '0.3s', '9.9s', '42s', '1m 30s', '1h', '1h 30m', '1d 3h']);
});
