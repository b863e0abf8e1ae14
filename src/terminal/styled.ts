import type { Screen } from './terminal.ts';

/** Consecutive characters of a row that look the same. What is missing is the default. */
export interface StyledRun {
  readonly text: string;
  /** 0-255 of the palette, or `#rrggbb`. */
  readonly fg?: number | string;
  readonly bg?: number | string;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly inverse?: true;
  readonly invisible?: true;
  readonly strike?: true;
}

/** How a run looks, without its text. */
export type Look = Omit<StyledRun, 'text'>;

/** A row, without the blanks at its end. */
export type StyledRow = readonly StyledRun[];

/** What is wanted of a styled screen. */
export interface StyledWish {
  /** How many rows of the history are wanted. */
  readonly above: number;
  /** Counted from the screen upwards, the rows before the wanted ones. */
  readonly skip: number;
  /** What is shown now, although more was printed already: a viewer does not wait for a flood. */
  readonly now: boolean;
}

/** A screen as it looks, with rows of the history above it. */
export interface StyledScreen extends Screen {
  readonly styled: readonly StyledRow[];
  /** The wanted rows above the screen, from top to bottom. */
  readonly above: readonly StyledRow[];
  /** How many rows above the screen the terminal still has. */
  readonly history: number;
  readonly cursorHidden: boolean;
  /** Arrows and the keypad send other sequences; a program asked for that. */
  readonly applicationCursor: boolean;
  readonly applicationKeypad: boolean;
  /** Exactly the output up to this byte is on it; null: the terminal does not know. */
  readonly offset: number | null;
}

/** A screen of which only the text is known. */
export function plainStyled(screen: Screen): StyledScreen {
  const modes = { cursorHidden: false, applicationCursor: false, applicationKeypad: false };
  return { ...screen, styled: screen.rows.map(plainRow), above: [], history: 0, ...modes, offset: null };
}

/** The text of a row. */
export function rowText(row: StyledRow): string {
  return row
    .map(({ text }) => text)
    .join('')
    .trimEnd();
}

/** Which rows of so many above the screen are wanted: the index of the first, and of the one after the last. */
export function wantedAbove(history: number, { above, skip }: StyledWish): readonly [from: number, to: number] {
  const to = Math.max(0, history - skip);
  return [Math.max(0, to - above), to];
}

/** Joins pieces to a row; neighbours that look the same become one run, and blanks at the end are left out. */
export class RowBuilder {
  readonly #runs: StyledRun[] = [];
  #look: Look = {};
  #key = '';
  #text = '';

  /** `key` is the same for looks that are equal. */
  add(text: string, look: Look, key: string): void {
    if (text !== '' && key !== this.#key) {
      this.#flush();
      this.#look = look;
      this.#key = key;
    }
    this.#text += text;
  }

  row(): StyledRow {
    this.#flush();
    for (let last = this.#runs.at(-1); last !== undefined && isBlank(last); last = this.#runs.at(-1)) {
      const { text, ...look } = last;
      const kept = text.trimEnd();
      this.#runs.pop();
      if (kept === '') continue;
      this.#runs.push({ text: kept, ...look });
      break;
    }
    return this.#runs;
  }

  #flush(): void {
    if (this.#text !== '') this.#runs.push({ text: this.#text, ...this.#look });
    this.#text = '';
  }
}

/** Does it end in blanks that nobody can see? */
function isBlank({ text, bg, inverse, underline, strike }: StyledRun): boolean {
  return text.endsWith(' ') && bg === undefined && !inverse && !underline && !strike;
}

function plainRow(text: string): StyledRow {
  return text === '' ? [] : [{ text }];
}
