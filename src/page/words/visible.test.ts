import { expect, test } from 'vitest';
import { isOdd, visibleLine, visibleParts, withoutSequences } from './visible.ts';

const codesOf = (text: string): string[] => visibleParts(text).flatMap((part) => (part.isCode ? [part.text] : []));

test('what hides, reverses or acts is shown as its code', () => {
  expect(codesOf('a\u202eb')).toEqual(['\\u202e']);
  expect(codesOf('pay\u200bpal')).toEqual(['\\u200b']);
  expect(codesOf('\x1b[2J\x07')).toEqual(['\\x1b', '\\x07']);
  expect(codesOf('\x00')).toHaveLength(0);
  expect(visibleLine('\x00')).toBe('\\x00');
  expect(codesOf('tag\u{e0041}')).toEqual(['\\ue0041']);
  expect(codesOf('fill\u3164er sel\u{e0101}ector mongolian\u180e')).toEqual(['\\u3164', '\\ue0101', '\\u180e']);
  expect(codesOf('❤️ 1️⃣ 한국어')).toEqual([]);
});

test('ordinary text is one part: line ends, tabs, other scripts', () => {
  for (const text of ['a\n\tb', '日本語', 'مرحبا', 'naïve café'])
    expect(visibleParts(text)).toEqual([{ text, isCode: false }]);
});

test('an emoji of several people stays one picture, and a joiner elsewhere is shown', () => {
  expect(
    visibleParts('👩‍👩‍👧')
      .map(({ text }) => text)
      .join(''),
  ).toBe('👩‍👩‍👧');
  expect(codesOf('rm\u200d -rf')).toEqual(['\\u200d']);
});

test('colours, titles and the clipboard of a terminal are left out of output', () => {
  expect(withoutSequences('\x1b[1;31mred\x1b[0m')).toBe('red');
  expect(withoutSequences('\x1b]0;owned\x07x\x1b]52;c;ZXZpbA==\x1b\\y')).toBe('xy');
  expect(withoutSequences('plain')).toBe('plain');
});

test('a text says whether it is odd', () => {
  expect([isOdd('rm -rf build'), isOdd('rm\u00a0-rf'), isOdd('a\u2066b')]).toEqual([false, false, true]);
});
