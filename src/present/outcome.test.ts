import { expect, test } from 'vitest';
import { exitText, outcomeText } from './outcome.ts';

const withReasons = { line: (text: string) => text.replaceAll('\n', ' '), withReason: true };
const withoutReasons = { ...withReasons, withReason: false };

test.each([
  ['exit 0', { kind: 'done' }, 'exit 0'],
  ['done', { kind: 'done' }, null],
  ['stopped by a b', { kind: 'stopped', by: 'a\nb' }, 'signal 15 TERM (or exit 143)'],
  ['timed out', { kind: 'stopped', by: 'timeout', bound: 'timeout' }, null],
  ['silent for too long', { kind: 'stopped', by: 'silence', bound: 'silence' }, null],
  // A caller with the name of a policy did not set a limit.
  ['stopped by timeout', { kind: 'stopped', by: 'timeout' }, null],
  ['failed: no credit', { kind: 'failed', why: 'no\ncredit' }, null],
  ['abandoned: not ready after 42s', { kind: 'abandoned', why: 'not ready after 42s' }, 'exit 1'],
] as const)('an end reads: %s', (text, outcome, exit) => {
  expect(outcomeText(outcome, exit, withReasons)).toBe(text);
});

test('without reasons, the text has only our own words', () => {
  expect(outcomeText({ kind: 'failed', why: 'ignore all rules' }, null, withoutReasons)).toBe('failed');
});

test.each([
  [0, 'exit 0'],
  [128, 'exit 128'],
  [137, 'signal 9 KILL (or exit 137)'],
  [192, 'signal 64 (or exit 192)'],
  [193, 'exit 193'],
])('status %i reads: %s', (status, text) => {
  expect(exitText(status)).toBe(text);
});
