import { expect, test } from 'vitest';
import { folded } from './folded.ts';

test('a line breaks between words, below where its last column begins', () => {
  expect(folded('  -f, --for WHAT   What to wait for; separate several with commas.', 50)).toBe(
    '  -f, --for WHAT   What to wait for; separate\n                   several with commas.',
  );
  expect(folded('one two three four', 9)).toBe('one two\n      three\n      four');
});

test('lines that fit, and text for programs, are not changed', () => {
  expect(folded('a  b\n\n  c', 20)).toBe('a  b\n\n  c');
  const long = `  ${'word '.repeat(100)}`;
  expect(folded(long, Number.POSITIVE_INFINITY)).toBe(long);
});

test('no line is wider than the terminal, and no word is lost', () => {
  const text = `      --rules FILE                ${'Read rules from a file: '.repeat(9)}`;
  const lines = folded(text, 80).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines.join(' ').split(/ +/)).toEqual(text.split(/ +/));
});
