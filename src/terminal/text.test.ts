import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextFilter, toText } from './text.ts';

const text = (raw: string): string => toText(Buffer.from(raw));

/** What terminals print, and what a person should read. */
const CORPUS: Record<string, string> = {
  plain: 'plain',
  'a\nb\n': 'a\nb\n',
  'a\tb': 'a\tb',
  'a\r\nb\r\n': 'a\nb\n',
  'a\r\r\nb': 'a\nb',
  '10%\r20%\r\n': '10%\n20%\n',
  '10%\r20%\r30%': '10%\n20%\n30%',
  '\rfirst': 'first',
  'a\n\rb': 'a\nb',
  'a\r': 'a\n',
  'a\r\x1b[Kb': 'a\nb',
  'a\r\x1b[K\nb': 'a\nb',
  'a\bb': 'ab',
  'a\0b\x01c\x07d\x0be\x0cf\x0eg\x0fh\x7fi': 'abcdefghi',
  '\x1b[31mred\x1b[0m': 'red',
  '\x1b[38;5;196mred\x1b[m': 'red',
  '\x1b[38:2::255:0:0mred\x1b[m': 'red',
  '\x1b[4:3mwavy\x1b[24m': 'wavy',
  'a\x1b[1;2Hb': 'a\nb',
  'a\n\x1b[Hb': 'a\nb',
  '\x1b[2J\x1b[Ha': 'a',
  'a\x1b[Ab': 'a\nb',
  'a\x1b[2Bb': 'a\nb',
  'a\x1b[Eb': 'a\nb',
  'a\x1b[Fb': 'a\nb',
  'a\x1b[3;4fb': 'a\nb',
  'a\x1b[5db': 'a\nb',
  'a\x1b[5eb': 'a\nb',
  'a\x1bEb': 'a\nb',
  'a\x1bDb': 'a\nb',
  'a\x1bMb': 'a\nb',
  'a\r\x1b[Bb': 'a\nb',
  'a\r\x1b[5Cb': 'a\nb',
  'a\x1b[5Cb': 'a b',
  'a \x1b[5Cb': 'a b',
  'a\n\x1b[5Cb': 'a\nb',
  'a\x1b[20Gb': 'a b',
  'a\x1b[20`b': 'a b',
  '10%\x1b[1G20%\x1b[G30%': '10%\n20%\n30%',
  'a\x1b[?25lb\x1b[?25h': 'ab',
  'a\x1b[?5Ab': 'ab',
  'a\x1b[2 Ab': 'ab',
  'a\x1b[>4;2mb': 'ab',
  'a\x1b[?1049hb\x1b[?1049l': 'ab',
  'a\x1b[?2004hb': 'ab',
  'a\x1b[6nb': 'ab',
  'a\x1b[!pb': 'ab',
  'a\x1b[2 qb': 'ab',
  'a\x1b]0;title\x07b': 'ab',
  'a\x1b]0;title\x1b\\b': 'ab',
  'a\x1b]0;t\u00eetre \ud83d\ude42\x07b': 'ab',
  'a\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\b': 'alinkb',
  'a\x1b]133;A\x07b': 'ab',
  'a\x1b]52;c;aGVsbG8=\x07b': 'ab',
  'a\x1bPq#0;2;0;0;0\x1b\\b': 'ab',
  'a\x1bP+q544e\x07still\x1b\\b': 'ab',
  'a\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\b': 'ab',
  'a\x1b_Gi=1;AAAA\x1b\\b': 'ab',
  'a\x1b^private\x1b\\b': 'ab',
  'a\x1bXstring\x1b\\b': 'ab',
  'a\x1b(Bb\x1b)0c': 'abc',
  'a\x1b#8b\x1b%Gc': 'abc',
  'a\x1b F b': 'a b',
  'a\x1b7b\x1b8c\x1b=d\x1b>e\x1bcf': 'abcdef',
  'a\x1bOPb\x1bNxc': 'abc',
  'a\x1bO\u00e9b': 'a\u00e9b',
  'a\u008fPb\u008exc': 'abc',
  'a\u009b31mb': 'ab',
  'a\u009d0;title\u009cb': 'ab',
  'a\u0090q\u009cb': 'ab',
  'a\u009fapc\u009cb': 'ab',
  'a\u0085b\u0084c\u008dd': 'a\nb\nc\nd',
  'a\u0080\u0099b': 'ab',
  'a\x1b[3\x1b[1mb': 'ab',
  'a\x1b\x1b\x1b[1mb': 'ab',
  'a\x1b[3\x18b': 'ab',
  'a\x1b]title\x1ab': 'ab',
  'a\x1b[3\n1mb': 'a\nb',
  'a\x1b[31\u00e9b': 'a\u00e9b',
  'a\x1b[\u009b1mb': 'ab',
  'a\x1b': 'a',
  'a\x1b[': 'a',
  'a\x1b[12;': 'a',
  'a\x1b]0;t': 'a',
  'a\x1b(': 'a',
  'caf\u00e9 \u6f22\u5b57 \ud83d\udc69\u200d\ud83d\udcbb': 'caf\u00e9 \u6f22\u5b57 \ud83d\udc69\u200d\ud83d\udcbb',
  '\ufeffa': '\ufeffa',
};

describe('terminal output becomes readable', () => {
  for (const [raw, expected] of Object.entries(CORPUS)) {
    test(`${JSON.stringify(raw)} reads ${JSON.stringify(expected)}`, () => expect(text(raw)).toBe(expected));
  }
});

test('bytes that are not UTF-8 become the replacement character and no more', () => {
  expect(toText(Buffer.from([0x61, 0xff, 0x62, 0x9b, 0x33, 0x31, 0x6d, 0xe2, 0x82]))).toBe('a\ufffdb\ufffd31m\ufffd');
  expect(toText(Buffer.from([0xe2, 0x1b, 0x5b, 0x6d, 0x82, 0xac]))).toBe('\ufffd\ufffd\ufffd');
});

test('a string without an end hides 4096 characters, not all that follows', () => {
  for (const start of ['\x1b]0;', '\x1bP', '\x1b[']) {
    const filler = start === '\x1b[' ? '1' : 'x';
    const shown = text(`a${start}${filler.repeat(6000)} end`);
    expect(shown).toMatch(/^a[x1]{1800,2000} end$/);
  }
});

test('a string that is cut off in the middle of a surrogate pair leaves no half of it', () => {
  for (const shift of ['', 'x']) expect(text(`\x1b]${shift}${'🙂'.repeat(3000)}`).isWellFormed()).toBe(true);
});

/** Bytes that are likely to be a sequence, or a broken one. */
const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Object.keys(CORPUS)).map((raw) => Buffer.from(raw)),
      fc
        .constantFrom(
          '\x1b',
          '[',
          ']',
          'P',
          '\\',
          '\x07',
          '\r',
          '\n',
          ' ',
          'A',
          'C',
          '1G',
          ';',
          '\u009b',
          '\u009c',
          '🙂',
          '\x18',
        )
        .map((raw) => Buffer.from(raw)),
      fc.uint8Array({ maxLength: 6 }).map((raw) => Buffer.from(raw)),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => Buffer.concat(pieces));

test('no control character but newline and tab ever comes out', () => {
  fc.assert(
    fc.property(bytes, (raw) => {
      expect(toText(raw)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    }),
    { numRuns: 2000 },
  );
});

test('every sequence of the corpus reads the same when split at any byte, and byte by byte', () => {
  for (const [raw, expected] of Object.entries(CORPUS)) {
    const all = Buffer.from(raw);
    for (let at = 0; at <= all.length; at += 1)
      expect(inPieces([all.subarray(0, at), all.subarray(at)])).toBe(expected);
    expect(inPieces([...all].map((byte) => Uint8Array.of(byte)))).toBe(expected);
  }
});

test('any bytes read the same however they are split', () => {
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(80)), (raw, sizes) => {
      const pieces: Uint8Array[] = [];
      let from = 0;
      for (const size of sizes) {
        pieces.push(raw.subarray(from, from + size));
        from += size;
      }
      pieces.push(raw.subarray(from));
      expect(inPieces(pieces)).toBe(toText(raw));
    }),
    { numRuns: 2000 },
  );
});

test('after end() a filter starts from scratch', () => {
  const filter = new TextFilter();
  filter.push(Buffer.from('abc\r\x1b]0;unfinished'));
  filter.end();
  expect(filter.push(Buffer.from('\x1b[Hb'))).toBe('b');
});

function inPieces(pieces: readonly Uint8Array[]): string {
  const filter = new TextFilter();
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}
