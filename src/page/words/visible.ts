import { STEERING } from '../../base/controls.ts';
import { escaped, HIDDEN, revealedCode } from '../../present/harmless.ts';

/** A part of a foreign text: as it is, or the code of a character that would hide or reverse something. */
export interface VisiblePart {
  readonly text: string;
  readonly isCode: boolean;
}

/** Escape sequences of terminals: colours, titles, clipboards. A page has no use for them. */
const SEQUENCES = new RegExp(
  [
    '\\x1b\\][^\\x07\\x1b\\x9c]*(?:\\x07|\\x1b\\\\|\\x9c)',
    '\\x1b[PX^_][^\\x1b\\x9c]*(?:\\x1b\\\\|\\x9c)',
    '[\\x1b\\x9b]\\[?[0-?]*[ -/]*[@-~]',
  ].join('|'),
  'g',
);

/** Joins two emoji into one picture; anywhere else it hides. */
const JOINED = /(?<=\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])\u200d(?=\p{Extended_Pictographic})/gu;
const JOIN_KEPT = '\u0000';

/** Splits a foreign text into what is shown as it is, and characters that are shown as their codes. */
export function visibleParts(text: string): readonly VisiblePart[] {
  const plain = text.replaceAll('\r\n', '\n');
  if (!isOdd(plain)) return [{ text: plain, isCode: false }];
  return splitOdd(plain.replaceAll(JOIN_KEPT, '\\x00').replace(JOINED, JOIN_KEPT));
}

/** Does a text have characters that nobody sees, or that act on a terminal? */
export function isOdd(text: string): boolean {
  return text.search(ODD) >= 0;
}

/** The text that a terminal would show of some output, without its colours. */
export function withoutSequences(text: string): string {
  return text.includes('\x1b') || text.includes('\x9b') ? text.replace(SEQUENCES, '') : text;
}

/** A foreign text as a plain string, for titles and attributes: one line, with codes. */
export function visibleLine(text: string): string {
  return visibleParts(text)
    .map(({ text: part }) => part)
    .join('')
    .replaceAll(/[ \t\r\n]+/g, ' ');
}

const ODD = new RegExp(`${STEERING.source}|${HIDDEN.source}`, 'u');
const ODD_ALL = new RegExp(`(${ODD.source})`, 'gu');

function splitOdd(text: string): VisiblePart[] {
  return text
    .split(ODD_ALL)
    .map((part, i) => partOf(part, i % 2 === 1))
    .filter((part) => part.text !== '');
}

function partOf(part: string, isOddPart: boolean): VisiblePart {
  if (!isOddPart) return { text: part, isCode: false };
  if (part === JOIN_KEPT) return { text: '\u200d', isCode: false };
  const code = part.search(new RegExp(HIDDEN.source, 'u')) >= 0 ? revealedCode(part) : escaped(part);
  return { text: code, isCode: true };
}
