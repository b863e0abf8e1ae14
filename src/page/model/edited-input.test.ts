import { expect, test } from 'vitest';
import { fieldsOf, inputOf } from './edited-input.ts';

test('an input that nobody changed is the same input', () => {
  const input = { command: 'npm publish\n"x"', timeout: 5, deep: { a: [1, null] }, no: null, yes: true };
  expect(inputOf(fieldsOf(input))).toEqual(input);
});

test('a text stays a text, and what is not JSON is refused with its field', () => {
  expect(inputOf([{ name: 'command', text: '{}', isText: true }])).toEqual({ command: '{}' });
  expect(() => inputOf([{ name: 'timeout', text: '5 s', isText: false }])).toThrow('timeout is not JSON');
});
