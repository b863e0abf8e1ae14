import { expect, test } from 'vitest';
import { changedText, parsed } from './text.ts';

test('a change keeps the order, the spacing and the indentation of the rest', () => {
  const text = '{\n    "b": 1,\n\n    "a":   { "x": [1,2] },\n    "c": "ü"\n}\n';
  expect(changedText(text, ['a', 'y'], 3)).toContain('"a":   { "x": [1,2],"y": 3 },');
  expect(changedText(text, ['b'], 2)).toBe(text.replace('"b": 1', '"b": 2'));
  expect(changedText(text, ['d'], true)).toBe(text.replace('"ü"\n', '"ü",\n    "d": true\n'));
  expect(changedText(text, ['c'], undefined)).toBe('{\n    "b": 1,\n\n    "a":   { "x": [1,2] }\n}\n');
  expect(changedText(text, ['a', 'x', '2'], 3)).toContain('[1,2,');
});

test('tabs and line ends of Windows stay', () => {
  const text = '{\r\n\t"a": 1\r\n}\r\n';
  expect(changedText(text, ['b'], 2)).toBe('{\r\n\t"a": 1,\r\n\t"b": 2\r\n}\r\n');
});

test('a digit is a place in a list, and a name elsewhere', () => {
  expect(JSON.parse(changedText('{"models": {}}', ['models', '4'], 'x'))).toEqual({ models: { 4: 'x' } });
  expect(JSON.parse(changedText('{"a": [1, 2]}', ['a', '0'], 9))).toEqual({ a: [9, 2] });
});

test('a key is found by its line and column, and one that is missing by the object around it', () => {
  const { place } = parsed('{\n  "a": {\n    "b": 1\n  }\n}');
  expect(place(['a', 'b'])).toEqual({ line: 3, column: 5 });
  expect(place(['a', 'c'])).toEqual({ line: 2, column: 3 });
  expect(place([])).toEqual({ line: 1, column: 1 });
});

test.each([
  ['{"a": 1,}', 'an extra comma'],
  ['{"a" 1}', 'a colon is missing'],
  ['{"a": 1 "b": 2}', 'a comma is missing'],
  ['{"a": 1', 'a } is missing'],
  ['{"a": [1', 'a ] is missing'],
  ['{"a": "x}', 'the closing "'],
  ["{'a': 1}", 'double quotes'],
  ['// x\n{}', 'no comments'],
  ['{} {}', 'nothing may follow'],
  ['{"a": 01}', ''],
])('%s is refused as JSON.parse refuses it', (text, says) => {
  expect(() => JSON.parse(text)).toThrow();
  const { mistakes } = parsed(text);
  expect(mistakes.length).toBeGreaterThan(0);
  expect(mistakes.map((each) => each.says).join()).toContain(says);
});
