import { expect, test } from 'vitest';
import { masked } from './mask.ts';

test.each(['-', 'a.', 'x', 'a-token', '--passwd ', 'token ', 'https://a:', 'sk-', 'eyJ-', 'bearer '])(
  'a million characters of %j do not block',
  (unit) => {
    // CPU time, because other processes may use the processor meanwhile.
    const from = process.cpuUsage();
    masked(unit.repeat(1_000_000 / unit.length));
    expect(process.cpuUsage(from).user / 1_000).toBeLessThan(5_000);
  },
);

test.each([
  ['MY_VERY_LONG_NAME_THAT_GOES_ON_FOR_MORE_THAN_FORTY_CHARACTERS_TOKEN=abc', /_TOKEN=\*\*\*$/],
  ['my.service.password: abc', /^my\.service\.password: \*\*\*$/],
  ['token=123456', /^token=\*\*\*$/],
  ['tokens=123456-abc', /^tokens=\*\*\*$/],
  ['sk-ant-api03-abcdef-0123456789abcdef', /^\*\*\*$/],
])('%s is masked', (text, shown) => {
  expect(masked(text)).toMatch(shown);
});

test('the number of tokens used is not a secret', () => {
  const text = '{"input_tokens":12,"output_tokens": 34} {\\"input_tokens\\":12} 5 tokens: 7';
  expect(masked(text)).toBe(text);
});
