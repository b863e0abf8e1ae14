import { expect, test } from 'vitest';
import { textWidth } from '../../base/grapheme-width.ts';
import { cutColumns, fitColumns } from './width.ts';

test.each([
  ['plain', 5],
  ['測試', 4],
  ['한글', 4],
  ['é', 1],
  ['👩‍👩‍👧', 2],
  ['🇩🇪🇫🇷', 4],
  ['❤️', 2],
  ['👍🏽', 2],
  ['', 0],
])('%s takes %i columns', (text, columns) => {
  expect(textWidth(text)).toBe(columns);
});

test('a text is cut between characters, and never takes more columns than allowed', () => {
  expect(cutColumns('hello', 5)).toBe('hello');
  expect(cutColumns('hello!', 5)).toBe('hell…');
  expect(cutColumns('測試測試', 6)).toBe('測試…');
  expect(cutColumns('a👩‍👩‍👧b👩‍👩‍👧', 4)).toBe('a👩‍👩‍👧…');
  expect(cutColumns('hello', 0)).toBe('');
});

test('a text is filled up to its columns, on either side', () => {
  expect(fitColumns('測', 4)).toBe('測  ');
  expect(fitColumns('$1.20', 7, 'end')).toBe('  $1.20');
  // Half of a wide character does not fit.
  expect(textWidth(fitColumns('測試測', 4))).toBe(4);
});
