import { expect, test } from 'vitest';
import { type Line, Painter } from './paint.ts';

const COLOURS = { hasColours: true, isUnicode: true };

function painted(pictures: readonly (readonly Line[])[], options = COLOURS): string[] {
  const painter = new Painter(options);
  return pictures.map((lines) => painter.paint({ lines, cursor: null }));
}

const row = (age: string, line: string): Line => [
  { text: 'api   ' },
  { text: age, style: 'dim' },
  { text: '  ' },
  { text: line },
];

test('what is on the screen already is not written again', () => {
  const [first, again] = painted([[row('1s', 'x')], [row('1s', 'x')]]);
  expect(first).toContain('\x1b[2J');
  expect(again).toBe('');
});

test('a change writes the piece that changed, at its place, in one synchronized update', () => {
  const [, age, line, shorter] = painted([
    [row('1s', 'compiles')],
    [row('2s', 'compiles')],
    [row('2s', 'compiled')],
    [row('2s', 'done')],
  ]);
  expect(age).toBe('\x1b[?2026h\x1b[1;7H\x1b[2m2s\x1b[0m\x1b[?2026l');
  expect(line).toBe('\x1b[?2026h\x1b[1;11Hcompiled\x1b[?2026l');
  expect(shorter).toBe('\x1b[?2026h\x1b[1;11Hdone\x1b[K\x1b[?2026l');
});

test('rows that come and go are written and cleared, and the others stay', () => {
  const [, more, fewer] = painted([[row('1s', 'x')], [row('1s', 'x'), [{ text: 'new' }]], [row('1s', 'x')]]);
  expect(more).toBe('\x1b[?2026h\x1b[2;1Hnew\x1b[?2026l');
  expect(fewer).toBe('\x1b[?2026h\x1b[2;1H\x1b[K\x1b[?2026l');
});

test('columns count, not characters', () => {
  const [, changed] = painted([[[{ text: '測試' }, { text: 'a' }]], [[{ text: '測試' }, { text: 'b' }]]]);
  expect(changed).toContain('\x1b[1;5Hb');
});

test('the cursor is shown where a person types, and hidden afterwards', () => {
  const painter = new Painter(COLOURS);
  const at = (column: number, text: string) => painter.paint({ lines: [[{ text }]], cursor: { row: 0, column } });
  expect(at(1, 'a')).toMatch(/\x1b\[1;2H\x1b\[\?25h\x1b\[\?2026l$/);
  // Hidden while the row changes, so that it does not jump.
  expect(at(2, 'ab')).toMatch(/^\x1b\[\?2026h\x1b\[\?25l.*\x1b\[1;3H\x1b\[\?25h/);
  expect(at(1, 'ab')).toBe('\x1b[1;2H\x1b[?25h');
  expect(painter.paint({ lines: [[{ text: 'ab' }]], cursor: null })).toBe('\x1b[?25l');
});

test('without colours nothing has a colour, and without Unicode every character is one of ASCII', () => {
  const lines: Line[] = [[{ text: '▲ ', style: 'need' }, { text: 'api 測é…' }]];
  const [plain] = painted([lines], { hasColours: false, isUnicode: false });
  expect(plain).not.toMatch(/\x1b\[[0-9;]*3[0-9]m/);
  expect(plain).toContain('\x1b[1m! \x1b[0mapi ???~');
});
