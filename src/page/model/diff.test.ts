import { expect, test } from 'vitest';
import { actionDiffs, parseDiff } from './diff.ts';

const DIFF = [
  ...['--- /w/a.ts', '+++ /w/a.ts', '@@ -1,3 +1,4 @@', ' one', '-two', '+zwei', '+drei', ' four'],
  ...['@@ -9,1 +10,1 @@', '---- a', '+++ b', '\\ No newline at end of file'],
].join('\n');

test('a unified diff is read line by line, with the numbers of both sides', () => {
  const [file] = parseDiff(DIFF);
  expect(file).toMatchObject({ path: '/w/a.ts', added: 3, removed: 2 });
  expect(file?.lines.slice(0, 5)).toEqual([
    { is: 'same', text: 'one', before: 1, after: 1 },
    { is: 'removed', text: 'two', before: 2, after: null },
    { is: 'added', text: 'zwei', before: null, after: 2 },
    { is: 'added', text: 'drei', before: null, after: 3 },
    { is: 'same', text: 'four', before: 3, after: 4 },
  ]);
  expect(file?.lines.slice(5).map(({ is, text }) => `${is} ${text}`)).toEqual([
    ...['gap @@ -9,1 +10,1 @@', 'removed --- a', 'added ++ b', 'note \\ No newline at end of file'],
  ]);
});

test('lines of a change that look like the head of a file are lines', () => {
  const sql = ['--- /w/a.sql', '+++ /w/a.sql', '@@ -1,2 +1,2 @@', '--- drop', '+++ keep', ' select 1;'].join('\n');
  const files = parseDiff(sql);
  expect(files.map(({ path }) => path)).toEqual(['/w/a.sql']);
  expect(files[0]?.lines.map(({ is, text }) => `${is} ${text}`)).toEqual([
    ...['removed -- drop', 'added ++ keep', 'same select 1;'],
  ]);
});

test('several files', () => {
  const git = 'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
  expect(parseDiff(git + git.replaceAll('x', 'y')).map(({ path }) => path)).toEqual(['x', 'y']);
});

test('a replacement shows its removed and added lines, without line numbers, which it does not have', () => {
  const replacements = [
    { before: 'const a = 1;\nkeep', after: 'const a = 2;\nkeep', everywhere: false },
    { before: 'x', after: 'y', everywhere: true },
  ];
  const change = { is: 'replacements', replacements, fields: [] } as const;
  const [file] = actionDiffs([{ is: 'write', path: '/w/a.ts', change }]);
  expect(file?.lines.map(({ is, text }) => `${is} ${text}`)).toEqual([
    ...['removed const a = 1;', 'added const a = 2;', 'same keep', 'gap ', 'removed x', 'added y'],
  ]);
  expect(file?.lines.every(({ before, after }) => before === null && after === null)).toBe(true);
});

test('a new text is all added; a call that changes nothing has no diff', () => {
  const change = { is: 'text', text: 'a\nb\n', fields: [] } as const;
  expect(actionDiffs([{ is: 'write', path: 'n', change }])).toMatchObject([{ path: 'n', added: 2, removed: 0 }]);
  expect(actionDiffs([{ is: 'read', path: 'n' }])).toEqual([]);
});
