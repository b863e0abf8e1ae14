import { expect, test } from 'vitest';
import { isPlaceholder, sentKey } from './sent-text.ts';

test('a text is the one that was sent though the paste left escape characters out', () => {
  expect(sentKey('a \x1b[201~ b\r\nc')).toBe(sentKey('a [201~ b\nc'));
  expect(sentKey('a b')).not.toBe(sentKey('a c'));
});

test('a draft that is shown by its length stands for a text of that length only', () => {
  const text = `${'a'.repeat(2_498)}\r\n\x1bb`;
  expect(isPlaceholder('[2500 characters]', text)).toBe(true);
  expect(isPlaceholder('[2501 characters]', text)).toBe(false);
  expect(isPlaceholder('see [2500 characters]', text)).toBe(false);
});
