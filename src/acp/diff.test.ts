import { expect, test } from 'vitest';
import { diffsIn, diffsOf } from './diff.ts';

test('a new text, replacements and a diff of a call are shown as diffs with absolute paths', () => {
  const fields: string[] = [];
  const write = (change: object) => ({ is: 'write', path: 'a.ts', change: { ...change, fields } }) as never;
  const replacements = [{ before: 'x', after: 'y', everywhere: false }];
  const actions = [
    write({ is: 'text', text: 'all' }),
    write({ is: 'replacements', replacements }),
    write({ is: 'diff', diff: '@@ -1,2 +1,2 @@\n same\n-old\n+new' }),
  ];
  expect(diffsOf(actions, '/w')).toEqual([
    { path: '/w/a.ts', newText: 'all' },
    { path: '/w/a.ts', oldText: 'x', newText: 'y' },
    { path: '/w/a.ts', oldText: 'same\nold\n', newText: 'same\nnew\n' },
  ]);
});

test('a unified diff is split into its files, and a new file has no old text', () => {
  const text = '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-old\n+new\n--- /dev/null\n+++ b.ts\n@@ -0,0 +1 @@\n+made\n';
  expect(diffsIn(text, '/w')).toEqual([
    { path: '/w/a.ts', oldText: 'old\n', newText: 'new\n' },
    { path: '/w/b.ts', newText: 'made\n' },
  ]);
});
