import { expect, test } from 'vitest';
import { beginningOf, textWidth } from './grapheme-width.ts';

test.each([
  ['', 0],
  ['fix the tests', 13],
  ['Grüße', 5],
  ['世界', 4],
  ['e\u0301', 1],
  ['👍🏽', 2],
  ['👩‍👩‍👧', 2],
  ['🇩🇪🇫🇷', 4],
  ['❤️', 2],
  ['한국어', 6],
])('%s takes %i columns', (text, columns) => {
  expect(textWidth(text)).toBe(columns);
});

test('a text is cut between characters, not inside one', () => {
  expect(beginningOf('世界abc', 3)).toBe('世');
  expect(beginningOf('a👩‍👩‍👧b', 2)).toBe('a');
  expect(beginningOf('a👩‍👩‍👧b', 3)).toBe('a👩‍👩‍👧');
  expect(beginningOf('abc', 9)).toBe('abc');
});
