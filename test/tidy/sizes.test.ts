import { expect, test } from 'vitest';
import { filesBelow, sources } from './tree.ts';

const FILE_LINES_MAX = 250;
const FUNCTION_LINES_MAX = 50;
const COLUMNS_MAX = 120;

test('a file fits its one sentence: at most 250 lines', () => {
  const long = [...sources(), ...filesBelow('scripts', '.ts', '.mjs')].filter(
    ({ text }) => text.split('\n').length > FILE_LINES_MAX + 1,
  );
  expect(long.map(({ path, text }) => `${path}: ${text.split('\n').length}`)).toEqual([]);
});

test('a function is read at one go: at most 50 lines', () => {
  const long = sources().flatMap(({ path, text }) => {
    const lines = text.split('\n');
    return lines.flatMap((line, i) => {
      // A body ends at the first line with the indentation it began with.
      const match =
        /^(\s*)(?:export )?(?:async )?(?:static )?(?:function\b|[#\w]+\(.*\).*\{$|const \w+ = .*=> \{$)/.exec(line);
      if (match === null || !line.trimEnd().endsWith('{')) return [];
      const indent = match[1] ?? '';
      const end = lines.findIndex((other, j) => j > i && other.startsWith(`${indent}}`));
      const length = end - i + 1;
      return length > FUNCTION_LINES_MAX ? [`${path}:${i + 1} is ${length} lines`] : [];
    });
  });
  expect(long).toEqual([]);
});

test('no line is wider than 120 columns', () => {
  const wide = [...filesBelow('src', '.ts', '.sh'), ...filesBelow('test', '.ts')].flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => ([...line].length > COLUMNS_MAX ? [`${path}:${i + 1}`] : [])),
  );
  expect(wide).toEqual([]);
});

test('at most twelve dependencies at run time', async () => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
  expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(12);
});
