import { type Look, RowBuilder, type StyledRow } from './styled.ts';

/** SGR, another CSI, a string such as a link, or a change of the character set. */
const SEQUENCE = /\x1b\[([\d;:]*)m|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()].|[\x0e\x0f]/g;

/** The characters that a terminal draws lines with, by the letter that stands for each. */
const LINES: Readonly<Record<string, string>> = Object.fromEntries(
  [...'`afghijklmnopqrstuvwxyz{|}~'].map((letter, i) => [letter, [...'◆▒°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·'][i] ?? letter]),
);

/** Rows as tmux prints them with `capture-pane -e`: text, and sequences that say how what follows looks. */
export function readStyledRows(lines: readonly string[]): StyledRow[] {
  const pen = new Pen();
  return lines.map((line) => readRow(line, pen));
}

function readRow(line: string, pen: Pen): StyledRow {
  const row = new RowBuilder();
  let at = 0;
  const add = (to: number): void => row.add(pen.letters(line.slice(at, to)), pen.look, pen.key);
  for (const found of line.matchAll(SEQUENCE)) {
    add(found.index);
    at = found.index + found[0].length;
    if (found[1] !== undefined) pen.set(found[1]);
    else if (found[0] === '\x0e' || found[0] === '\x0f') pen.drawsLines = found[0] === '\x0e';
  }
  add(line.length);
  return row.row();
}

type Flag = 'bold' | 'dim' | 'italic' | 'underline' | 'inverse' | 'invisible' | 'strike';

const ON: Readonly<Record<number, Flag>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  8: 'invisible',
  9: 'strike',
  21: 'underline',
};
const OFF: Readonly<Record<number, readonly string[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  28: ['invisible'],
  29: ['strike'],
};

/** How the next letters look. It goes on over the end of a row. */
class Pen {
  look: Look = {};
  key = '';
  drawsLines = false;

  letters(text: string): string {
    return this.drawsLines ? text.replace(/[`-~]/g, (letter) => LINES[letter] ?? letter) : text;
  }

  set(parameters: string): void {
    const words = parameters.split(';').map((word) => word.split(':').map(Number));
    let look: Record<string, unknown> = { ...this.look };
    for (let at = 0; at < words.length; at += 1) {
      const [code = 0, ...parts] = words[at] ?? [];
      if (code === 0) look = {};
      else if (code === 4 && parts[0] === 0) delete look.underline;
      else if (code === 38 || code === 48 || code === 58) {
        const plain = words.slice(at + 1).map(([first = 0]) => first);
        const { colour, used } = colourIn(parts.length > 0 ? withoutSpace(parts) : plain);
        if (parts.length === 0) at += used;
        if (code !== 58 && colour !== undefined) look[code === 38 ? 'fg' : 'bg'] = colour;
      } else look = stepped(look, code);
    }
    this.look = look as Look;
    this.key = JSON.stringify(look);
  }
}

function stepped(look: Record<string, unknown>, code: number): Record<string, unknown> {
  const flag = ON[code];
  if (flag !== undefined) return { ...look, [flag]: true };
  const names = code === 39 ? ['fg'] : code === 49 ? ['bg'] : OFF[code];
  if (names !== undefined) return Object.fromEntries(Object.entries(look).filter(([name]) => !names.includes(name)));
  const colour = namedColour(code);
  return colour === null ? look : { ...look, ...colour };
}

function namedColour(code: number): Look | null {
  if (code >= 30 && code <= 37) return { fg: code - 30 };
  if (code >= 40 && code <= 47) return { bg: code - 40 };
  if (code >= 90 && code <= 97) return { fg: code - 82 };
  if (code >= 100 && code <= 107) return { bg: code - 92 };
  return null;
}

/** A colour of the palette (5;N) or of its own (2;R;G;B), and how many numbers it took. */
function colourIn(numbers: readonly number[]): { colour: number | string | undefined; used: number } {
  const [kind, ...rest] = numbers;
  if (kind === 5) return { colour: rest[0], used: 2 };
  if (kind !== 2) return { colour: undefined, used: 1 };
  const [red = 0, green = 0, blue = 0] = rest.slice(0, 3);
  return { colour: hex([red, green, blue]), used: 4 };
}

/** Between colons there may be a colour space before the three values. */
function withoutSpace(parts: readonly number[]): readonly number[] {
  return parts[0] === 2 && parts.length > 4 ? [2, ...parts.slice(2)] : parts;
}

/** `#rrggbb` of three values. */
export function hex(values: readonly number[]): string {
  return `#${values.map((value) => (value & 255).toString(16).padStart(2, '0')).join('')}`;
}
