import { describe, expect, test } from 'vitest';
import { readStyledRows } from './styled-text.ts';

const row = (line: string) => readStyledRows([line])[0];

describe('a row that tmux prints', () => {
  test('without sequences is one run', () => {
    expect(row('plain  ')).toEqual([{ text: 'plain' }]);
    expect(row('')).toEqual([]);
  });

  test('has a run for each look', () => {
    expect(row('a \x1b[1m\x1b[31mred\x1b[0m b')).toEqual([
      { text: 'a ' },
      { text: 'red', bold: true, fg: 1 },
      { text: ' b' },
    ]);
    expect(row('\x1b[2;3;4;7;8;9mall\x1b[22;23;24;27;28;29mnone')).toEqual([
      { text: 'all', dim: true, italic: true, underline: true, inverse: true, invisible: true, strike: true },
      { text: 'none' },
    ]);
  });

  test.each([
    ['38;5;200', { fg: 200 }],
    ['48;5;17', { bg: 17 }],
    ['38;2;1;2;255', { fg: '#0102ff' }],
    ['38:2::1:2:255', { fg: '#0102ff' }],
    ['48:2:1:2:255', { bg: '#0102ff' }],
    ['38:5:9', { fg: 9 }],
    ['92', { fg: 10 }],
    ['103', { bg: 11 }],
    ['4:3', { underline: true }],
    ['4:3;58;5;1', { underline: true }],
    ['58;2;9;9;9;1', { bold: true }],
    ['38;5;3;48;5;4;1', { fg: 3, bg: 4, bold: true }],
  ])('knows %s', (parameters, look) => {
    expect(row(`\x1b[${parameters}mx`)).toEqual([{ text: 'x', ...look }]);
  });

  test.each(['39', '49', '0', ''])('forgets colours with %j', (parameters) => {
    const kept = parameters === '39' ? { bg: 2 } : parameters === '49' ? { fg: 1 } : {};
    expect(row(`\x1b[31;42m\x1b[${parameters}mx`)).toEqual([{ text: 'x', ...kept }]);
  });

  test('goes on with the look of the row before', () => {
    expect(readStyledRows(['\x1b[31ma', 'b\x1b[0m', 'c'])).toEqual([
      [{ text: 'a', fg: 1 }],
      [{ text: 'b', fg: 1 }],
      [{ text: 'c' }],
    ]);
  });

  test('keeps blanks that are seen, and no others', () => {
    expect(row('x \x1b[44m  \x1b[0m  ')).toEqual([{ text: 'x ' }, { text: '  ', bg: 4 }]);
    expect(row('\x1b[31mx  \x1b[0m  ')).toEqual([{ text: 'x', fg: 1 }]);
  });

  test('draws lines where the other character set is used', () => {
    expect(row('\x0elqqk\x0f lq')).toEqual([{ text: '┌──┐ lq' }]);
  });

  test('has nothing of links, titles and other sequences', () => {
    expect(row('\x1b]8;;https://evil.test\x1b\\name\x1b]8;;\x1b\\ \x1b]52;c;x\x07\x1b[6nend')).toEqual([
      { text: 'name end' },
    ]);
  });
});
