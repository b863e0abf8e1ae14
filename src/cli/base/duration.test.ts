import { expect, test } from 'vitest';
import { countOf, parseDuration, showDuration } from './duration.ts';

test.each([
  ['250ms', 250],
  ['10s', 10_000],
  ['1.5s', 1_500],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['7d', 604_800_000],
  ['0', 0],
])('%s is %i milliseconds', (word, ms) => {
  expect(parseDuration('--timeout', word)).toBe(ms);
});

test.each(['', '10', '10x', 's', '-5s', '10 s', '1h30', 'm5'])(
  '"%s" is refused, with an example of what is right',
  (word) => {
    expect(() => parseDuration('--timeout', word)).toThrow(`--timeout: "${word}" is no duration; write it like 250ms`);
  },
);

test('durations are shown in at most two units', () => {
  const shown = [0, 340, 9_940, 42_000, 90_000, 5_400_000, 100_000_000].map(showDuration);
  expect(shown).toEqual(['0.0s', '0.3s', '9.9s', '42s', '1m 30s', '1h 30m', '1d 3h']);
});

test('a count is a whole number from 0 on', () => {
  expect(countOf('--tail', '12')).toBe(12);
  expect(countOf('--tail', undefined)).toBeUndefined();
  for (const word of ['-1', '1.5', 'x', '']) expect(() => countOf('--tail', word)).toThrow('--tail');
});
