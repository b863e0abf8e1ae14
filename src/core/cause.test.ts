import { expect, test } from 'vitest';
import { causeOf, type InputId, inputId } from './cause.ts';

test('the id of an input says where the input came from', () => {
  expect(inputId('hook', 's.1', 'x', 0)).toBe('hook:s.1:x:0');
  expect(causeOf(inputId('hook', 's.1', 'x', 0)).from).toBe('hook');
  expect(causeOf(inputId('start', 'hook:mine')).from).toBe('start');
  for (const id of ['01k', 'hook', 'hooked:x', ':hook', '']) expect(causeOf(id as InputId).from).toBe('once');
});
