import { expect, test } from 'vitest';
import { modeOf, modeWord } from './modes.ts';

test.each([
  ['ask-all', 'default'],
  ['deny-unlisted', 'dontAsk'],
  ['edits', 'acceptEdits'],
  ['plan', 'plan'],
  ['auto', 'auto'],
  ['none', 'bypassPermissions'],
] as const)('%s is %s, both ways', (mode, word) => {
  expect(modeWord(mode)).toBe(word);
  expect(modeOf(word)).toBe(mode);
});

test.each([
  ['manual', 'default'],
  ['acceptEdits', 'acceptEdits'],
  ['dontAsk', 'dontAsk'],
  ['bypassPermissions', 'bypassPermissions'],
])('a session that was stored with %s continues with %s', (stored, word) => {
  expect(modeWord(stored)).toBe(word);
});

test.each(['', 'superMode', 'constructor', 'BypassPermissions'])(
  'an unknown mode (%j) asks about every call',
  (word) => {
    expect(modeOf(word)).toBe('ask-all');
    expect(modeWord(word)).toBe('default');
  },
);
