import { expect, test } from 'vitest';
import type { NoticeItem } from './item.ts';
import { bodyOf, headline, textOf, titleOf } from './text.ts';

const item: NoticeItem = {
  session: 'id',
  name: null,
  event: 'session.ended',
  position: 1,
  at: '1970-01-01T00:00:00.000Z',
  exit: 0,
  outcome: { kind: 'done' },
  failed: false,
  command: 'npm test',
  snippet: 'ok',
  read: 'outlast output id',
  tookMs: 42_000,
};

test('T-VIEW-2 nothing in a notice controls a terminal or misleads a reader', () => {
  const bad = 'a\x1b[2J\u202eexe.gnp\u2066b\x9b';
  const text = textOf([{ ...item, name: bad, command: bad, snippet: `${bad}\n\tc`, report: ['x', bad] }]);
  expect(text).not.toMatch(/[\x1b\x9b\u202e\u2066]/);
  expect(text).toContain('exe.gnp b');
  expect(text).toContain('\n\tc\n');
  expect(bodyOf([{ ...item, snippet: bad }], 500)).not.toMatch(/[\x1b\x9b\u202e\u2066]/);
});

test.each<[string, Partial<NoticeItem>]>([
  ['npm test ended: exit 0, 42s', {}],
  ['npm test (fix) ended: exit 1, 2m 10s', { name: 'fix', exit: 1, tookMs: 130_000 }],
  ['npm test ended: signal 15 TERM (or exit 143), 3h', { exit: 143, tookMs: 3 * 3_600_000 }],
  ['npm test ended: done, 0.0s', { exit: null, tookMs: 10 }],
  ['npm test ended: timed out, 42s', { exit: 143, outcome: { kind: 'stopped', by: 'timeout', bound: 'timeout' } }],
  ['npm test ended: stopped by ann, 42s', { exit: 143, outcome: { kind: 'stopped', by: 'ann' } }],
  ['npm test ended: stopped by a b, 42s', { outcome: { kind: 'stopped', by: 'a\r\nb' } }],
  [
    'npm test ended: abandoned: could not be started: there is no such command, 42s',
    { exit: null, outcome: { kind: 'abandoned', why: 'could not be started: there is no such command' } },
  ],
  ['npm test: run.faulted', { event: 'run.faulted' }],
  ['npm test ended: failed: no credit, 42s', { exit: null, outcome: { kind: 'failed', why: 'no credit' } }],
  ['claude "fix it" (a) answered', { event: 'prompt.answered', command: 'claude "fix it"', name: 'a' }],
  ['npm test failed: no credit', { event: 'prompt.failed', why: 'no\ncredit' }],
  ['npm test may not have received its prompt: a person must check', { event: 'prompt.unsure' }],
  ['npm test needs a person: log in', { event: 'session.held', why: 'log in' }],
])('the headline is: %s', (line, part) => {
  expect(headline({ ...item, ...part })).toBe(line);
});

test('several items have one title and one line each', () => {
  const items = [item, { ...item, name: 'b' }];
  expect(titleOf(items)).toBe('2 notices from Outlast');
  expect(bodyOf(items, 500)).toBe('npm test ended: exit 0, 42s\nnpm test (b) ended: exit 0, 42s');
  expect(textOf(items).split('\n\n')).toHaveLength(2);
});

test('a body that is too long is cut, never inside a character', () => {
  expect(bodyOf([{ ...item, snippet: '😀'.repeat(10) }], 6)).toBe('😀😀…');
});

test('a bad end shows the first lines of its report, except for the first, which repeats the headline', () => {
  const bad = { ...item, exit: 1, failed: true, report: ['It failed.', '3 runs.', 'No turn was finished.'] };
  expect(textOf([bad])).toBe('npm test ended: exit 1, 42s\n3 runs.\nNo turn was finished.\nok\noutlast output id\n');
  expect(bodyOf([bad], 500)).toBe('3 runs.\nNo turn was finished.\nok\noutlast output id');
});
