import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyReader, type Press } from './keys.ts';

function read(...pieces: string[]): Press[] {
  const reader = new KeyReader();
  return [...pieces.flatMap((piece) => reader.read(Buffer.from(piece))), ...reader.flush()];
}

test('keys are named, and unknown sequences are ignored', () => {
  expect(read('\r', '\x7f', '\x15', '\x03', '\x1b[A', '\x1b[B', '\x1b[I', '\x1b[1;5C').map(({ is }) => is)).toEqual([
    ...['enter', 'backspace', 'clear', 'ctrl-c', 'up', 'down'],
  ]);
});

test('a lone ESC is the Escape key, two are two', () => {
  expect(read('\x1b')).toEqual([{ is: 'escape' }]);
  expect(read('\x1b\x1b')).toEqual([{ is: 'escape' }, { is: 'escape' }]);
});

test('text followed by a line break is entered; a line break inside a chunk is text', () => {
  expect(read('hello\r')).toEqual([{ is: 'text', text: 'hello' }, { is: 'enter' }]);
  expect(read('a\rb\nc')).toEqual([{ is: 'text', text: 'a\rb\nc' }]);
});

test('a paste arrives whole, in whatever chunks it comes', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\t', ' ', 'ä', '✓', '🎉', '[', '~') });
  fc.assert(
    fc.property(text, fc.array(fc.nat(40), { maxLength: 6 }), (pasted, cuts) => {
      const bytes = Buffer.from(`\x1b[200~${pasted}\x1b[201~\r`);
      const reader = new KeyReader();
      const found: Press[] = [];
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        found.push(...reader.read(bytes.subarray(at, at + cut)));
        at += cut;
      }
      expect(found).toEqual([{ is: 'paste', text: Buffer.from(pasted).toString('utf8') }, { is: 'enter' }]);
    }),
  );
});
