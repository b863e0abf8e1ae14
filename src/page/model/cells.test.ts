import { expect, test } from 'vitest';
import { cellsOf } from './cells.ts';

test('ordinary text and frames are one part', () => {
  expect(cellsOf('│ naïve text └──┘')).toEqual([{ text: '│ naïve text └──┘', columns: null }]);
});

test('wide letters and emoji get the columns that a terminal gives them', () => {
  expect(cellsOf('│ カー 👩‍👩‍👧 ➜ x')).toEqual([
    { text: '│ ', columns: null },
    { text: 'カ', columns: 2 },
    { text: 'ー', columns: 2 },
    { text: ' ', columns: null },
    { text: '👩‍👩‍👧', columns: 2 },
    { text: ' ', columns: null },
    { text: '➜', columns: 1 },
    { text: ' x', columns: null },
  ]);
});
