import { expect, test } from 'vitest';
import { matcher } from './pattern.ts';

test('an expression finds its first match, line by line', () => {
  expect(matcher('^b+')('a\nbbc')).toBe('bb');
  expect(matcher('x')('a')).toBeNull();
});

test('an invalid expression is refused', () => {
  expect(() => matcher('(')).toThrow(/is not a valid regular expression/);
});

test('an expression that would run forever is interrupted', () => {
  expect(() => matcher('(a+)+\\1$')(`${'a'.repeat(40)}b`)).toThrow(/takes too long/);
});

test('a match that got too little of the CPU is tried again, a few times', () => {
  const calls = { busy: 0, starved: 0 };
  const busy = matcher('(a+)+\\1$', () => 1_000 * calls.busy++);
  const starved = matcher('(a+)+\\1$', () => 0 * calls.starved++);
  for (const match of [busy, starved]) expect(() => match(`${'a'.repeat(40)}b`)).toThrow(/takes too long/);
  // Asked before and after each try, except after the last one.
  expect(calls).toEqual({ busy: 2, starved: 5 });
});
