import { expect, test } from 'vitest';
import { filesBelow, sources } from './tree.ts';

const FILE_LINES_MAX = 250;
const FUNCTION_LINES_MAX = 50;
const COLUMNS_MAX = 120;

test('a file has at most 250 lines', () => {
  const long = [...sources(), ...filesBelow('scripts', '.ts', '.mjs')].filter(
    ({ text }) => text.split('\n').length > FILE_LINES_MAX + 1,
  );
  expect(long.map(({ path, text }) => `${path}: ${text.split('\n').length}`)).toEqual([]);
});

/** The first line of a function: its name and its parameters, or as many of them as fit. */
const WORDS = '(?:export )?(?:default )?(?:static )?(?:async )?(?:[gs]et )?';
const NAMED = 'function\\b|[#\\w]+\\(|(?:const |readonly )?[#\\w]+(?: =|:) (?:async )?\\(';
const FUNCTION = new RegExp(`^(\\s*)${WORDS}(?:${NAMED})`);

/** The line on which the body of a function starts; -1: this is not a function. */
function bodyOf(lines: readonly string[], start: number, indent: string): number {
  if (/[)>\w] \{$/.test(lines[start] ?? '')) return start;
  // Parameters on separate lines: the signature ends at the next line with the same indentation.
  const end = lines.findIndex(
    (line, i) => i > start && line.startsWith(indent) && /^\S/.test(line.slice(indent.length)),
  );
  return /^[)}].* \{$/.test((lines[end] ?? '').trim()) ? end : -1;
}

/** The functions of a file: the first line and the number of lines of each. */
function functionsOf(text: string): { line: number; length: number }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    const indent = FUNCTION.exec(line)?.[1];
    const body = indent === undefined ? -1 : bodyOf(lines, start, indent);
    // The body ends at the next line with the same indentation.
    const end = body < 0 ? -1 : lines.findIndex((other, i) => i > body && other.startsWith(`${indent}}`));
    return end < 0 ? [] : [{ line: start + 1, length: end - start + 1 }];
  });
}

test('a function has at most 50 lines', () => {
  const long = sources().flatMap(({ path, text }) =>
    functionsOf(text).flatMap(({ line, length }) =>
      length > FUNCTION_LINES_MAX ? [`${path}:${line} is ${length} lines`] : [],
    ),
  );
  expect(long).toEqual([]);
});

test('every form of a function is measured', () => {
  const body = Array.from({ length: 3 }, () => '  work();');
  const forms = [
    ['export async function one(a: A, b: B): Promise<C> {', ...body, '}'],
    ['function two(', '  a: A,', '  { b, c }: B = {},', '): C {', ...body, '}'],
    ['function three({', '  a,', '  b,', '}: A): B {', ...body, '}'],
    ['  #four(', '    a: A,', '  ): void {', ...body.map((line) => `  ${line}`), '  }'],
    ['const five = async (', '  a: A,', '): Promise<B> => {', ...body, '};'],
    ['  six: (a) => {', ...body.map((line) => `  ${line}`), '  },'],
  ];
  expect(forms.map((lines) => functionsOf(lines.join('\n')))).toEqual(
    forms.map((lines) => [{ line: 1, length: lines.length }]),
  );
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
