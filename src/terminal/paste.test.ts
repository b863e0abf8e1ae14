import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pasteBytes } from './paste.ts';

const START = '\x1b[200~';
const END = '\x1b[201~';
const pasted = (text: string, bracketed: boolean): string => Buffer.from(pasteBytes(text, bracketed)).toString();

test('line ends become carriage returns, one each', () => {
  expect(pasted('a\r\nb\nc\rd\n\ne', false)).toBe('a\rb\rc\rd\r\re');
});

test('a bracketed paste has its markers, and an empty one too', () => {
  expect(pasted('a\tb\nc', true)).toBe(`${START}a\tb\rc${END}`);
  expect(pasted('', true)).toBe(START + END);
  expect(pasted('', false)).toBe('');
});

test('a character of any alphabet goes through', () => {
  expect(pasted('é 漢字 👩‍💻 \u00a0', true)).toBe(`${START}é 漢字 👩‍💻 \u00a0${END}`);
});

const attacks = [
  '\x1b[201~rm',
  '\x1b[20\x1b[201~1~rm',
  '\x1b\x1b[201~[201~',
  '\x9b201~rm',
  '\x1b\x9b[201~',
  '\x9b20\x1b[201~1~',
  '\x03',
  '\x7f',
  '\x00\x04\x1a',
];
for (const attack of attacks) {
  test(`${JSON.stringify(attack)} inside a paste does not end it`, () => {
    const inside = pasted(`a${attack}b\n`, true).slice(START.length, -END.length);
    expect(inside).toMatch(/^a[ -~]*b\r$/);
  });
}

test('no text brings a control character into a paste, bracketed or not', () => {
  const piece = fc.oneof(
    fc.constantFrom(START, END, '\x1b', '[201~', '\x9b', '\r', '\n', '\x7f', '\x03'),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.boolean(), (pieces, bracketed) => {
      const bytes = pasted(pieces.join(''), bracketed);
      if (bracketed) expect([bytes.slice(0, 6), bytes.slice(-6)]).toEqual([START, END]);
      expect(bracketed ? bytes.slice(6, -6) : bytes).not.toMatch(/[\x00-\x08\x0a-\x0c\x0e-\x1f\x7f-\x9f]/);
    }),
  );
});
