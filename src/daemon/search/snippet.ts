import { type Found, type Term, wordsIn } from './query.ts';

/** A part of a text, and where the matches are in it. */
export interface Snippet {
  readonly text: string;
  /** In order, without overlaps. */
  readonly marks: readonly Mark[];
  /** There is more of the text on that side. */
  readonly cut: { readonly before: boolean; readonly after: boolean };
}

/** From a character to before another one. */
interface Mark {
  readonly from: number;
  readonly to: number;
}

/** How much is shown before the first match. */
const LEAD_SHARE = 0.25;
/** A cut is moved this far at most, to the beginning of a word. */
const WORD_CHARS = 24;

/** The part of a text with the most different terms in it, at most so many characters. */
export function snippetOf(text: string, terms: readonly Term[], charsMax: number): Snippet {
  const marks = marksIn(text, terms);
  const best = bestStart(marks, charsMax);
  const from = startOf(text, best, charsMax);
  const to = endOf(text, from, charsMax);
  const inside = merged(marks.filter(({ at }) => at.from >= from && at.to <= to).map(({ at }) => at));
  const moved = inside.map((at) => ({ from: at.from - from, to: at.to - from }));
  return { text: text.slice(from, to), marks: moved, cut: { before: from > 0, after: to < text.length } };
}

interface Matched {
  readonly term: number;
  readonly at: Mark;
}

/** Where each term matches, in the order of the text. */
function marksIn(text: string, terms: readonly Term[]): Matched[] {
  const words = wordsIn(text);
  return words.flatMap((first, i) =>
    terms.flatMap((term, number): Matched[] => {
      const last = words[i + term.words.length - 1];
      if (last === undefined || !isMatch(words, i, term)) return [];
      return [{ term: number, at: { from: first.from, to: last.to } }];
    }),
  );
}

function isMatch(words: readonly Found[], at: number, { words: wanted, isPrefix }: Term): boolean {
  return wanted.every((want, i) => {
    const word = words[at + i]?.word ?? '';
    return isPrefix && i === wanted.length - 1 ? word.startsWith(want) : word === want;
  });
}

/** The match from which on the most different terms are near. */
function bestStart(marks: readonly Matched[], charsMax: number): number {
  let best = { from: 0, terms: 0 };
  for (const [i, { at }] of marks.entries()) {
    const near = new Set<number>();
    for (let j = i; j < marks.length; j += 1) {
      const mark = marks[j];
      if (mark === undefined || mark.at.to > at.from + charsMax * (1 - LEAD_SHARE)) break;
      near.add(mark.term);
    }
    if (near.size > best.terms) best = { from: at.from, terms: near.size };
  }
  return best.from;
}

function startOf(text: string, match: number, charsMax: number): number {
  if (text.length <= charsMax) return 0;
  const wanted = Math.min(match - Math.floor(charsMax * LEAD_SHARE), text.length - charsMax);
  if (wanted <= 0) return 0;
  const space = text.slice(wanted, Math.min(wanted + WORD_CHARS, match)).search(/\s/);
  return whole(text, space < 0 ? wanted : wanted + space + 1);
}

function endOf(text: string, from: number, charsMax: number): number {
  const wanted = from + charsMax;
  if (wanted >= text.length) return text.length;
  const space = /\s\S*$/.exec(text.slice(wanted - WORD_CHARS, wanted))?.index;
  return whole(text, space === undefined ? wanted : wanted - WORD_CHARS + space);
}

/** Not between the halves of a surrogate pair. */
function whole(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at;
}

function merged(marks: readonly Mark[]): Mark[] {
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of marks) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}
