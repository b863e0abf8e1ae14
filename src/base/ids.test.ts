import { expect, test } from 'vitest';
import { isIdPrefix, newId, shortId } from './ids.ts';

test('ids of one time differ within what a list shows, or the list shows more', () => {
  const id = newId(1_795_000_000_000);
  expect(shortId(id, () => true)).toBe(id.slice(0, 12));
  expect(shortId(id, (prefix) => prefix.length >= 16)).toBe(id.slice(0, 16));
  expect(shortId(id, () => false)).toBe(id);
});

test.each([
  ['01m7', true],
  ['01m', false],
  ['01M7', false],
  ['api-tests', false],
  ['01m7te76hwzfqag62h0', true],
  ['01m7te76hwzfqag62h06', false],
])('%s can begin an id: %s', (word, can) => {
  expect(isIdPrefix(word)).toBe(can);
});
