import { expect, test } from 'vitest';
import { Emulator, renderScreen } from './screen.ts';

const SIZE = { columns: 20, rows: 4 };

test('the screen shows what a person would see, not what was printed', async () => {
  const screen = await renderScreen(Buffer.from('one\r\ntwo\x1b[1;1HONE\x1b[31m!'), SIZE, { convertEol: false });
  expect(screen).toEqual({ rows: ['ONE!', 'two', '', ''], columns: 20, cursor: { row: 0, column: 4 }, title: null });
});

test('only the last rows are on the screen', async () => {
  const screen = await renderScreen(Buffer.from('1\n2\n3\n4\n5\n6'), SIZE, { convertEol: true });
  expect(screen.rows).toEqual(['3', '4', '5', '6']);
});

test('a character and a sequence split between two pieces are read as one', async () => {
  const emulator = new Emulator(SIZE);
  for (const byte of Buffer.from('\x1b[2;3Hä€😀')) emulator.feed(Uint8Array.of(byte));
  await emulator.settled();
  expect(emulator.screen().rows[1]).toBe('  ä€😀');
});

test('a query is answered with the state at that point of the output, also when split', async () => {
  const emulator = new Emulator(SIZE);
  const replies: string[] = [];
  emulator.onReply = (bytes) => replies.push(Buffer.from(bytes).toString());
  emulator.feed(Buffer.from('ab\x1b['));
  emulator.feed(Buffer.from('6nc\x1b[6n'));
  await emulator.settled();
  expect(replies).toEqual(['\x1b[1;3R', '\x1b[1;4R']);
});

test('terminal modes are tracked', async () => {
  const emulator = new Emulator(SIZE);
  emulator.feed(Buffer.from('\x1b[?1h\x1b=\x1b[?2004h\x1b[?1049h'));
  await emulator.settled();
  const keys = (on: boolean) => ({ applicationCursor: on, applicationKeypad: on });
  expect(emulator.modes()).toEqual({ ...keys(true), bracketedPaste: true, alternateScreen: true });
  emulator.feed(Buffer.from('\x1b[?1l\x1b>\x1b[?2004l\x1b[?1049l'));
  await emulator.settled();
  expect(emulator.modes()).toEqual({ ...keys(false), bracketedPaste: false, alternateScreen: false });
});

test('a serialized terminal brings another one into the same state', async () => {
  const first = new Emulator(SIZE);
  first.feed(Buffer.from('main\x1b[?1049h\x1b[2;2Hfull\x1b[?25l\x1b[?1006h\x1b[?2004h'));
  await first.settled();
  const bytes = first.serialize();
  const second = new Emulator(SIZE);
  second.feed(bytes);
  await second.settled();
  expect(second.screen()).toEqual(first.screen());
  expect(second.modes()).toEqual(first.modes());
  expect(Buffer.from(bytes).toString()).toContain('\x1b[?25l');
  expect(Buffer.from(bytes).toString()).toContain('\x1b[?1006h');
});

test('settled() waits until all output is shown, and each piece is reported once and in order', async () => {
  const emulator = new Emulator(SIZE);
  const shown: Uint8Array[] = [];
  emulator.onShown = (piece) => shown.push(piece);
  for (let line = 0; line < 20_000; line += 1) emulator.feed(Buffer.from(`line ${line}\r\n`));
  expect(emulator.lagBytes).toBeGreaterThan(0);
  await emulator.settled();
  expect(emulator.lagBytes).toBe(0);
  expect(emulator.screen().rows[2]).toBe('line 19999');
  expect(Buffer.concat(shown).toString()).toBe(
    Array.from({ length: 20_000 }, (_, line) => `line ${line}\r\n`).join(''),
  );
});
