import { expect, test } from 'vitest';
import type { Changes } from '../../api/changes-shape.ts';
import { changedFiles, partnersOf, splitRows } from './changes.ts';

type File = Changes['files'][number];
const file = (path: string, more: Partial<File> = {}): File => ({
  ...{ path, status: 'modified', additions: 1, deletions: 1, binary: false, inDiff: true },
  ...more,
});
const moment = { at: 'start', atMs: 0, prompt: null } as const;
const changes = (files: File[], diff: string): Changes => ({
  ...{ session: 's', root: '/w', base: moment, until: moment, files, moreFiles: 0 },
  ...{ additions: 0, deletions: 0, diff, cut: null, notCovered: [] },
});
const section = (before: string, after: string, head = ''): string =>
  `diff --git a/x b/x\n${head}index 1..2 100644\n--- ${before}\n+++ ${after}\n@@ -1 +1 @@\n-old\n+new\n`;

test('each file gets its lines, whatever its name is and wherever it was before', () => {
  const diff = [
    section('a/plain.ts', 'b/plain.ts'),
    section('"a/\\303\\251\\t\\"q\\".ts"', '"b/\\303\\251\\t\\"q\\".ts"'),
    section('a/old.ts', 'b/new.ts', 'similarity index 90%\nrename from old.ts\nrename to new.ts\n'),
    section('a/gone.ts', '/dev/null', 'deleted file mode 100644\n'),
    section('a/two words.ts\t', 'b/two words.ts\t'),
  ].join('');
  const paths = ['plain.ts', 'é\t"q".ts', 'new.ts', 'gone.ts', 'two words.ts'];
  const found = changedFiles(
    changes(
      paths.map((path) => file(path)),
      diff,
    ),
  );
  expect(found.map(({ lines }) => lines.map(({ text }) => text))).toEqual(paths.map(() => ['old', 'new']));
});

test('a file without lines says why', () => {
  const files = [
    file('a.png', { binary: true, inDiff: false, additions: null, deletions: null }),
    file('big.json', { inDiff: false, additions: 9_000 }),
    file('moved.ts', { status: 'renamed', from: 'old.ts', additions: 0, deletions: 0 }),
    file('run.sh', { additions: 0, deletions: 0 }),
  ];
  const modes = 'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n';
  expect(changedFiles(changes(files, modes)).map(({ why }) => why)).toEqual(['binary', 'large', 'renamed', 'mode']);
});

test('a file is viewed until its lines are others', () => {
  const digest = (diff: string): string | undefined => changedFiles(changes([file('x')], diff))[0]?.digest;
  expect(digest(section('a/x', 'b/x'))).toBe(digest(section('a/x', 'b/x')));
  expect(digest(section('a/x', 'b/x'))).not.toBe(digest(section('a/x', 'b/x').replace('+new', '+newer')));
});

test('removed lines are beside those that replace them', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+zwei\n four\n+five\n';
  const [found] = changedFiles(changes([file('x')], `diff --git a/x b/x\n${diff}`));
  const lines = found?.lines ?? [];
  const text = splitRows(lines).map(({ before, after }) => `${before?.text ?? ''}|${after?.text ?? ''}`);
  expect(text).toEqual(['one|one', 'two|zwei', 'three|', 'four|four', '|five']);
  expect([...partnersOf(lines)].map(([a, b]) => `${a.text} ${b.text}`)).toEqual(['two zwei', 'zwei two']);
});
