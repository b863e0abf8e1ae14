import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QueryFilter } from './queries.ts';

const QUESTIONS = [
  '\x1b[6n',
  '\x1b[5n',
  '\x1b[?6n',
  '\x1b[c',
  '\x1b[0c',
  '\x1b[>c',
  '\x1b[=0c',
  '\x1b[?2026$p',
  '\x1b[4$p',
  '\x1b[>0q',
  '\x1b[?u',
  '\x1b[14t',
  '\x1b[18t',
  '\x1b[21t',
  '\x1b[x',
  '\x1b]11;?\x07',
  '\x1b]10;?\x1b\\',
  '\x1b]4;1;?\x07',
  '\x1b]52;c;?\x07',
  '\x1bP+q544e\x1b\\',
  '\x1bP$qm\x1b\\',
  '\x1b[1$w',
  '\x1b[?1;1;0S',
];
const OTHERS = [
  '\x1b[1;5H',
  '\x1b[31m',
  '\x1b[?25l',
  '\x1b[2J',
  '\x1b[!p',
  '\x1b[2 q',
  '\x1b[>1u',
  '\x1b[8;24;80t',
  '\x1b[22;0t',
  '\x1b[3S',
  '\x1b]0;title?\x07',
  '\x1b]8;;http://a/?b\x1b\\',
  '\x1b]52;c;aGk=\x07',
  '\x1b(B',
  '\x1b7',
  '\x1bPq#0\x1b\\',
  '\x1b[>4;1m',
  'plain',
  'ä€😀',
];

const pieces = fc.array(fc.constantFrom(...QUESTIONS, ...OTHERS), { maxLength: 12 });

test('queries are cut out and all else stays, however the output was split', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.integer({ min: 1, max: 9 })), (sent, cuts) => {
      const wanted = sent.filter((piece) => !QUESTIONS.includes(piece)).join('');
      expect(filterInPieces(Buffer.from(sent.join('')), cuts)).toBe(wanted);
    }),
  );
});

test('a string that never ends passes through instead of being held forever', () => {
  const endless = `\x1b]0;${'x'.repeat(10_000)}`;
  expect(filterInPieces(Buffer.from(endless), [])).toBe(endless);
});

test('output without an escape is passed on as it is', () => {
  const bytes = Buffer.from('just text\r\n');
  expect(new QueryFilter().push(bytes)).toBe(bytes);
});

function filterInPieces(bytes: Uint8Array, cuts: readonly number[]): string {
  const filter = new QueryFilter();
  const kept: Uint8Array[] = [];
  let from = 0;
  for (const size of cuts) {
    kept.push(filter.push(bytes.subarray(from, from + size)));
    from += size;
  }
  return Buffer.concat([...kept, filter.push(bytes.subarray(from))]).toString();
}
