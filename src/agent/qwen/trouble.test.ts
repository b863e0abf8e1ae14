import { expect, test } from 'vitest';
import { failureIn, isTriedAgain, limitEnd, troubleOf } from './trouble.ts';

const NOW_MS = Date.UTC(2026, 10, 18, 18);

test.each([
  ['[API Error: 401 Incorrect API key provided]', { kind: 'login' }],
  ['[API Error: 402 Insufficient credit balance]', { kind: 'billing' }],
  ['[API Error: 429 too many requests]', { kind: 'overloaded' }],
  ['[API Error: 503 busy]', { kind: 'overloaded' }],
  ["[API Error: 400 This model's maximum context length is 8192 tokens]", { kind: 'too-long' }],
  ['[API Error: Context is too large to send safely after automatic compression.]', { kind: 'too-long' }],
  ['[API Error: 400 input: at least one is odd]', { kind: 'other' }],
  ['[API Error: Connection error.]', { kind: 'overloaded' }],
  [
    'Quota exhausted: weekly quota exceeded. It will reset at 2026-11-20 10:00:00 UTC.',
    { kind: 'limited', untilMs: Date.UTC(2026, 10, 20, 10) },
  ],
])('%s', (text, trouble) => {
  expect(troubleOf(failureIn(text), NOW_MS)).toEqual(trouble);
});

test('what it asks again is not a failure yet', () => {
  expect(
    [400, 401, 402, 404, 429, 500, 503].filter((status) => isTriedAgain({ httpStatus: status, text: '' })),
  ).toEqual([429, 500, 503]);
  expect(isTriedAgain({ httpStatus: 429, text: 'quota exceeded, will reset at noon' })).toBe(false);
});

test('the end of a limit is a date or a time from now', () => {
  expect(limitEnd('reset at 2026-11-20T10:00:00+08:00', NOW_MS)).toBe(Date.UTC(2026, 10, 20, 2));
  expect(limitEnd('it will reset in 3h', NOW_MS)).toBe(NOW_MS + 3 * 3_600_000);
  expect(limitEnd('quota exceeded', NOW_MS)).toBeNull();
});
