import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, ROOT } from './tree.ts';

const ID = /T-[A-Z]+-\d+/;
const page = readFileSync(join(ROOT, 'docs/fault-tests.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| T-/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, id = '', , shown = '']) => ({ id, shown }));

/** The files that a row names, each with the text that it must contain. */
function proofsOf(shown: string): { path: string; words: string }[] {
  return [...shown.matchAll(/`([\w/.-]+)`(?:: ([^`]*?))?(?=,? (?:and )?`|$)/g)].map(([, path = '', words = '']) => ({
    path,
    words: words.replace(/,$/, '').trim(),
  }));
}

const isThere = ({ path, words }: { path: string; words: string }): boolean =>
  existsSync(join(ROOT, path)) && readFileSync(join(ROOT, path), 'utf8').includes(words.replace(/, and$/, ''));

test('every test that docs/fault-tests.md names exists', () => {
  const tested = rows.filter(({ shown }) => shown !== '');
  expect(tested.length).toBeGreaterThan(60);
  expect(tested.filter(({ shown }) => proofsOf(shown).length === 0)).toEqual([]);
  const missing = tested.flatMap(({ id, shown }) =>
    proofsOf(shown).flatMap((one) => (isThere(one) ? [] : { id, ...one })),
  );
  expect(missing).toEqual([]);
});

test('every fault id in a test is in docs/fault-tests.md, once', () => {
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const used = filesBelow('test', '.ts').flatMap(({ text }) => text.match(new RegExp(ID, 'g')) ?? []);
  expect(new Set(used).size).toBeGreaterThan(40);
  expect([...new Set(used)].filter((id) => !ids.includes(id))).toEqual([]);
});
