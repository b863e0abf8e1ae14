import { expect, test } from 'vitest';
import { modeFound, modeWord } from './modes.ts';

test.each([
  ['ask-all', 'default'],
  ['deny-unlisted', 'dontAsk'],
  ['edits', 'acceptEdits'],
  ['plan', 'plan'],
  ['auto', 'auto'],
  ['none', 'bypassPermissions'],
] as const)('%s is %s, both ways', (mode, word) => {
  expect(modeWord(mode)).toBe(word);
  expect(modeFound(word)).toEqual({ mode, word });
});

test.each([
  ['manual', 'default'],
  ['acceptEdits', 'acceptEdits'],
  ['dontAsk', 'dontAsk'],
  ['bypassPermissions', 'bypassPermissions'],
  ['superMode', 'superMode'],
  ['--allow', 'default'],
])('a session that an earlier version stored with %s continues with %s', (stored, word) => {
  expect(modeWord(stored)).toBe(word);
});

test.each(['manual', 'superMode', 'constructor', 'BypassPermissions'])(
  'an unknown mode (%j) is kept as it is, and is assumed to ask about every call',
  (word) => {
    expect(modeFound(word)).toEqual({ mode: 'ask-all', word });
    expect(modeWord('ask-all', word)).toBe(word);
  },
);

test('a conversation that does not record its mode has none', () => {
  expect([modeFound(null), modeFound('')]).toEqual([null, null]);
});

test.each(['--dangerously-skip-permissions', 'two words', '-', 'a'.repeat(65)])(
  'a mode that cannot be passed on (%j) prevents a take-over',
  (word) => {
    expect(modeFound(word)).toEqual({ lost: expect.stringMatching(/^its permission mode, ".*", cannot be given/) });
  },
);
