import { expect, test } from 'vitest';
import type { FoundText } from '../../api/contract-search.ts';
import { groupsOf, partsOf } from './found.ts';

const found = (id: number, session: string | null, conversation = 'c'): FoundText => ({
  ...{ id, kind: 'reply', agent: 'claude', conversation, workspace: null, path: '/p', atMs: id, turn: 1, text: 'x' },
  ...{ session: session === null ? null : { id: session, name: null, live: false }, marks: [] },
  cut: { before: false, after: false },
});

test('texts are grouped by conversation, each with its place in the order in which they are shown', () => {
  const groups = groupsOf([found(5, 'a'), found(4, 'b'), found(3, 'a'), found(2, null, 'x'), found(1, null, 'y')]);
  expect(groups.map(({ texts }) => texts.map(({ text, index }) => [text.id, index]))).toEqual([
    [
      [5, 0],
      [3, 1],
    ],
    [[4, 2]],
    [[2, 3]],
    [[1, 4]],
  ]);
});

test('the parts of a text are the whole text, also where marks touch or overlap', () => {
  const text = 'one two three';
  const marks = [
    { from: 4, to: 7 },
    { from: 0, to: 3 },
    { from: 5, to: 9 },
  ];
  const parts = partsOf({ text, marks });
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.filter(({ isMark }) => isMark).map((part) => part.text)).toEqual(['one', 'two', ' t']);
  expect(partsOf({ text, marks: [] })).toEqual([{ text, isMark: false }]);
});
