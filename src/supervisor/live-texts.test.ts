import { expect, test } from 'vitest';
import type { SessionId } from '../core/session.ts';
import { LiveTexts } from './live-texts.ts';

const S = 's' as SessionId;

test('pieces of one text are joined, and another text begins another one', () => {
  const texts = new LiveTexts();
  for (const [text, of] of [
    ['One ', 'a'],
    ['two.', null],
    ['', 'b'],
    ['Three.', 'c'],
    [' Four.', 'c'],
  ] as const)
    texts.add(S, { text, of });
  expect(texts.of(S).map(({ number, text }) => [number, text])).toEqual([
    [1, 'One two.'],
    [3, 'Three. Four.'],
  ]);
  texts.forget(S);
  expect(texts.of(S)).toEqual([]);
});

test('who watches a session is woken by its pieces alone, until they leave', () => {
  const texts = new LiveTexts();
  let woken = 0;
  const leave = texts.watch(S, () => {
    woken += 1;
  });
  texts.add('other' as SessionId, { text: 'x', of: null });
  texts.add(S, { text: 'x', of: null });
  leave();
  texts.add(S, { text: 'y', of: null });
  expect(woken).toBe(1);
});
