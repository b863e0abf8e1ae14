import { expect, test } from 'vitest';
import { readWhole } from './lines.ts';
import { isStartOf, type LostConversation, oneConversation } from './record-search.ts';

const LOST: LostConversation = { workspaces: ['/w', '/real/w'], sinceMs: 100_000, untilMs: 200_000, keys: ['hello'] };
const START = { id: 'c1', workspace: '/w', atMs: 150_000 } as const;

test.each([
  ['in its folder while it ran', {}, true],
  ['in its folder under another name', { workspace: '/real/w' }, true],
  ['at a time that is not written down', { atMs: null }, true],
  ['in another folder', { workspace: '/other' }, false],
  ['before the run began', { atMs: 97_000 }, false],
  ['after the run ended', { atMs: 203_000 }, false],
  ['a moment before, by a clock that was set', { atMs: 98_500 }, true],
] as const)('a conversation that began %s', (_, change, fits) => {
  expect(isStartOf(LOST, { ...START, ...change })).toBe(fits);
});

test('a file is matched by its first start record and by its prompts', () => {
  const reader = oneConversation(LOST, (line) => {
    if (line.is === 'unreadable') return {};
    const { id, text } = line.fields;
    return typeof id === 'string' ? { start: { ...START, id } } : { keys: [String(text)] };
  });
  const fits = (...lines: readonly object[]): readonly string[] =>
    readWhole(reader, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(fits({ id: 'c1' }, { text: 'other' }, { text: 'hello' })).toEqual(['c1']);
  expect(fits({ id: 'copy' }, { id: 'c1' }, { text: 'hello' })).toEqual(['copy']);
  expect([fits({ id: 'c1' }), fits({ text: 'hello' }), fits({ id: 'c1' }, { text: 'bye' })]).toEqual([[], [], []]);
});
