import { expect, test } from 'vitest';
import { countOf, parseDuration } from './duration.ts';

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
    expect(() => parseDuration('--timeout', word)).toThrow(
      `--timeout: "${word}" is not a valid duration; write it like 250ms`,
    );
  },
);

test('a count is a whole number from 0 on', () => {
  expect(countOf('--tail', '12')).toBe(12);
  expect(countOf('--tail', undefined)).toBeUndefined();
  for (const word of ['-1', '1.5', 'x', '']) expect(() => countOf('--tail', word)).toThrow('--tail');
});
