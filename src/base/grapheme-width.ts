/**
 * The width of a character, and whether it joins the one before it: the interface that xterm.js wants of a Unicode
 * version.
 */
export interface WidthTable {
  readonly version: string;
  wcwidth(codepoint: number): 0 | 1 | 2;
  charProperties(codepoint: number, preceding: number): number;
}

/** How many columns a text takes on a terminal. */
export function textWidth(text: string): number {
  // Most texts are ASCII.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { width } of graphemesOf(text)) columns += width;
  return columns;
}

/** The beginning of a text, of at most this many columns; no character is cut in half. */
export function beginningOf(text: string, columnsMax: number): string {
  let [end, columns] = [0, 0];
  for (const { grapheme, width } of graphemesOf(text)) {
    if (columns + width > columnsMax) break;
    end += grapheme.length;
    columns += width;
  }
  return text.slice(0, end);
}

/** The characters of a text as a terminal draws them, each with its columns. */
export function* graphemesOf(text: string): Generator<{ readonly grapheme: string; readonly width: number }> {
  let [grapheme, width, state] = ['', 0, 0];
  for (const character of text) {
    state = propertiesOf(character.codePointAt(0) ?? 0, state);
    const joins = (state & 1) === 1;
    if (!joins && grapheme !== '') yield { grapheme, width };
    grapheme = joins ? grapheme + character : character;
    width = (state >> 1) & 3;
  }
  if (grapheme !== '') yield { grapheme, width };
}

/**
 * Widths by grapheme, as agents count them when they draw: a family, a flag or a face with a skin tone is one character
 * of two columns. xterm.js itself counts every emoji as one column, so what follows on the row would be misplaced, and
 * a full row would wrap in the wrong place.
 */
export const GRAPHEMES: WidthTable = {
  version: 'outlast',
  wcwidth: widthOf,
  charProperties: propertiesOf,
};

/** What kind of character the next one may join. */
const KIND = { other: 0, pictograph: 1, joiner: 2, flag: 3 } as const;

const ZERO_WIDTH_JOINER = 0x200d;
const EMOJI_STYLE = 0xfe0f;
const PICTOGRAPH = /^\p{Extended_Pictographic}$/u;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const WIDE_EMOJI = /^\p{Emoji_Presentation}$/u;
/** Wide by Unicode's East Asian Width, other than emoji; pairs of first and last. */
const WIDE = [
  0x1100, 0x115f, 0x2e80, 0x303e, 0x3041, 0x33ff, 0x3400, 0x4dbf, 0x4e00, 0x9fff, 0xa000, 0xa4cf, 0xa960, 0xa97f,
  0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6f, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x16fe0, 0x18cff,
  0x1b000, 0x1b2ff, 0x1f200, 0x1f265, 0x20000, 0x2fffd, 0x30000, 0x3fffd,
];
const known = new Map<number, 0 | 1 | 2>();

function widthOf(codepoint: number): 0 | 1 | 2 {
  if (codepoint < 0x300) return codepoint < 0x20 || (codepoint >= 0x7f && codepoint < 0xa0) ? 0 : 1;
  const before = known.get(codepoint);
  if (before !== undefined) return before;
  const width = measure(codepoint);
  known.set(codepoint, width);
  return width;
}

function measure(codepoint: number): 0 | 1 | 2 {
  if (isFlag(codepoint)) return 1;
  // Half of a surrogate pair is not a character.
  if (codepoint >= 0xd800 && codepoint < 0xe000) return 1;
  const character = String.fromCodePoint(codepoint);
  if (ZERO.test(character)) return 0;
  if (WIDE_EMOJI.test(character)) return 2;
  return WIDE.some((first, i) => i % 2 === 0 && codepoint >= first && codepoint <= (WIDE[i + 1] ?? 0)) ? 2 : 1;
}

function propertiesOf(codepoint: number, preceding: number): number {
  const width = widthOf(codepoint);
  const [beforeWidth, before] = [(preceding >> 1) & 3, preceding >> 3];
  if (preceding === 0 || beforeWidth === 0) return value(kindOf(codepoint), width, false);
  if (codepoint === ZERO_WIDTH_JOINER && before !== KIND.other) return value(KIND.joiner, beforeWidth, true);
  if (codepoint === EMOJI_STYLE && before === KIND.pictograph) return value(KIND.pictograph, 2, true);
  if (width === 0) return value(before, beforeWidth, true);
  const isJoined = before === KIND.joiner && isPictograph(codepoint);
  const isColoured = before === KIND.pictograph && codepoint >= 0x1f3fb && codepoint <= 0x1f3ff;
  if (isJoined || isColoured) return value(KIND.pictograph, 2, true);
  // The second half of a flag; a third one begins another.
  if (before === KIND.flag && isFlag(codepoint)) return value(KIND.other, 2, true);
  return value(kindOf(codepoint), width, false);
}

function kindOf(codepoint: number): number {
  if (isFlag(codepoint)) return KIND.flag;
  return isPictograph(codepoint) ? KIND.pictograph : KIND.other;
}

function isFlag(codepoint: number): boolean {
  return codepoint >= 0x1f1e6 && codepoint <= 0x1f1ff;
}

function isPictograph(codepoint: number): boolean {
  return codepoint >= 0xa9 && PICTOGRAPH.test(String.fromCodePoint(codepoint));
}

/** Packed into the bits in which xterm.js stores it. */
function value(kind: number, width: number, joins: boolean): number {
  return (kind << 3) | (width << 1) | (joins ? 1 : 0);
}
