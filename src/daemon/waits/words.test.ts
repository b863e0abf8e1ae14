import { expect, test } from 'vitest';
import { wantedOf } from './words.ts';

test.each([
  ['ended', [{ kind: 'exit' }]],
  ['exit,idle', [{ kind: 'exit' }, { kind: 'idle' }]],
  ['text:a{1,3},b,held', [{ kind: 'text', source: 'a{1,3},b' }, { kind: 'held' }]],
  ['text:a,idleness', [{ kind: 'text', source: 'a,idleness' }]],
  [
    'idle-output:2s,text:x',
    [
      { kind: 'idle-output', ms: 2_000 },
      { kind: 'text', source: 'x' },
    ],
  ],
  ['event:tool.,approval', [{ kind: 'event', type: 'tool.' }, { kind: 'approval' }]],
])('"%s" is parsed', (words, wanted) => {
  expect(wantedOf(words)).toEqual(wanted);
});

test.each(['', 'ready', 'idle,ready', 'text:', 'idle-output:2', 'idle-output:', 'event:session', 'exit,'])(
  '"%s" is refused',
  (words) => {
    expect(() => wantedOf(words)).toThrow(/^for: /);
  },
);
