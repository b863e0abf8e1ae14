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
  expect(() => matcher('(a+)+$')(`${'a'.repeat(40)}b`)).toThrow(/takes too long/);
});
