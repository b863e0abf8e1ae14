import { graphemesOf, textWidth } from '../../base/grapheme-width.ts';

/** How a piece of a row looks. */
export type Style = 'plain' | 'bold' | 'dim' | 'inverse' | 'need' | 'work' | 'park' | 'good' | 'bad';

/** A piece of a row in one style. */
export interface Span {
  readonly text: string;
  readonly style?: Style;
}

/** One row of the screen. Each piece begins where the one before it ends. */
export type Line = readonly Span[];

/** What is on the screen: its rows, and where the cursor is; null: it is hidden. */
export interface Picture {
  readonly lines: readonly Line[];
  readonly cursor: { readonly row: number; readonly column: number } | null;
}

const CODES: Readonly<Record<Style, string>> = {
  ...{ plain: '', bold: '1', dim: '2', inverse: '7' },
  ...{ need: '1;33', work: '36', park: '35', good: '32', bad: '31' },
};
/** What is left without colours. */
const PLAIN_CODES: Readonly<Record<Style, string>> = { ...CODES, need: '1', work: '', park: '', good: '', bad: '' };

// A terminal that knows it shows everything in between at once; others ignore it.
const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';

/**
 * Turns pictures into the bytes that change the screen from one to the next. Only pieces that differ are written, each
 * at its own place: a terminal that counts the columns of some character differently spoils one row until it changes,
 * and no other.
 */
export class Painter {
  readonly #codes: Readonly<Record<Style, string>>;
  readonly #isUnicode: boolean;
  #shown: Picture | null = null;

  constructor({ hasColours, isUnicode }: { readonly hasColours: boolean; readonly isUnicode: boolean }) {
    this.#codes = hasColours ? CODES : PLAIN_CODES;
    this.#isUnicode = isUnicode;
  }

  /** The bytes for a picture; empty when it is on the screen already. */
  paint(picture: Picture): string {
    const before = this.#shown;
    const rows = before === null ? ['\x1b[0m\x1b[2J'] : [];
    const count = Math.max(picture.lines.length, before?.lines.length ?? 0);
    for (let row = 0; row < count; row += 1)
      rows.push(this.#change(row, before?.lines[row] ?? [], picture.lines[row] ?? []));
    const changes = rows.join('');
    const [wasShown, isShown] = [before?.cursor ?? null, picture.cursor];
    this.#shown = picture;
    if (changes === '') return isSameCursor(wasShown, isShown) ? '' : cursorText(isShown);
    const cursor = isShown === null && wasShown === null && before !== null ? '' : cursorText(isShown);
    return BEGIN + (wasShown === null ? '' : HIDE) + changes + cursor + END;
  }

  /** Forgets what is on the screen: the next picture is painted as a whole. */
  forget(): void {
    this.#shown = null;
  }

  #change(row: number, before: Line, after: Line): string {
    let from = 0;
    while (from < after.length && isSame(before[from], after[from])) from += 1;
    if (from === after.length && from === before.length) return '';
    const [widthBefore, width] = [widthOf(before), widthOf(after)];
    // Equal pieces at the end stay where they are if the row is as wide as before.
    let end = after.length;
    const moved = before.length - after.length;
    while (widthBefore === width && end > from && end + moved > from && isSame(before[end + moved - 1], after[end - 1]))
      end -= 1;
    const pieces = after.slice(from, end).map((span) => this.#styled(span));
    const rest = width < widthBefore ? '\x1b[K' : '';
    return `\x1b[${row + 1};${widthOf(after.slice(0, from)) + 1}H${pieces.join('')}${rest}`;
  }

  #styled({ text, style = 'plain' }: Span): string {
    const code = this.#codes[style];
    const shown = this.#isUnicode ? text : asciiOf(text);
    return code === '' ? shown : `\x1b[${code}m${shown}\x1b[0m`;
  }
}

/** Our own signs where the terminal has ASCII alone; each takes one column, as before. */
const ASCII: Readonly<Record<string, string>> = {
  ...{ '▲': '!', '●': '*', '◷': '~', '○': '-', '✓': '+', '✕': 'x', '…': '~', '·': '-', '↑': '^', '↓': 'v', '›': '>' },
};

function asciiOf(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return [...graphemesOf(text)].map(({ grapheme, width }) => asciiFor(grapheme, width)).join('');
}

function asciiFor(grapheme: string, width: number): string {
  return /^[\x20-\x7e]$/.test(grapheme) ? grapheme : (ASCII[grapheme] ?? '?'.repeat(width));
}

const HIDE = '\x1b[?25l';

function cursorText(cursor: Picture['cursor']): string {
  return cursor === null ? HIDE : `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
}

function isSameCursor(one: Picture['cursor'], other: Picture['cursor']): boolean {
  return one?.row === other?.row && one?.column === other?.column;
}

function widthOf(line: Line): number {
  return line.reduce((columns, { text }) => columns + textWidth(text), 0);
}

function isSame(one: Span | undefined, other: Span | undefined): boolean {
  return one !== undefined && one.text === other?.text && (one.style ?? 'plain') === (other?.style ?? 'plain');
}
