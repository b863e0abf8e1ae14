import { expect, test } from 'vitest';
import { wordMarks } from './word-marks.ts';

const shown = (before: string, after: string): string[] | undefined =>
  wordMarks(before, after)?.map((parts) => parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join(''));

test('the words that differ are marked, on both sides', () => {
  expect(shown('const retries = 2;', 'const retries = 5;')).toEqual(['const retries = [2];', 'const retries = [5];']);
  expect(shown('sum + price * count', 'sum + Math.round(price) * count')).toEqual([
    'sum + price * count',
    'sum + [Math.round(]price[)] * count',
  ]);
});

test('lines that have little in common, and texts that would be cut, are not marked', () => {
  expect(shown('return null;', 'for (const each of all) sum += each.price')).toBeUndefined();
  expect(shown('', 'a')).toBeUndefined();
  expect(shown('grüße 👩‍👩‍👧 x', 'grüße 👩‍👩‍👧 y')?.[1]).toBe('grüße 👩‍👩‍👧 [y]');
});

test('of a line of thousands of words only its ends are compared', () => {
  const words = Array.from({ length: 5_000 }, (_, i) => `w${i}`);
  const other = words.map((word, i) => (i % 2 === 0 ? word : `${word}x`));
  expect(wordMarks(words.join(' '), other.join(' '))).toBeNull();
});
