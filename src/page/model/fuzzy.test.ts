import { expect, test } from 'vitest';
import { fuzzyScore } from './fuzzy.ts';

test('every word has to fit, as a whole or by its letters', () => {
  expect(fuzzyScore('fix', 'fix the login')).not.toBeNull();
  expect(fuzzyScore('flgn', 'fix the login')).toBeNull();
  expect(fuzzyScore('lgn', 'fix the login')).not.toBeNull();
  expect(fuzzyScore('fix nothing', 'fix the login')).toBeNull();
  expect(fuzzyScore('', 'anything')).toBe(0);
});

test('letters far apart are no match', () => {
  expect(fuzzyScore('fix', 'find the index of x')).toBeNull();
});

test('a word fits one line: not the end of one and the beginning of the next', () => {
  expect(fuzzyScore('session-777', 'session-77\n01m7')).toBeNull();
  expect(fuzzyScore('session 01m7', 'session-77\n01m7')).not.toBeNull();
});

test('the beginning of a word is better than its middle, and a whole word better than letters', () => {
  const score = (text: string): number => fuzzyScore('log', text) ?? -1;
  expect(score('log in')).toBeGreaterThan(score('blog'));
  expect(score('blog')).toBeGreaterThan(score('lxoxg'));
});
