/** A part of a line; marked: it is what has changed. */
export interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Words, blanks, and every other character for itself. */
const WORD = /[\p{L}\p{N}_]+|\s+|./gsu;
/** Longer lines are compared by their ends only. */
const WORDS_MAX = 400;
/** When less than this part of two lines is the same, marks would be noise. */
const SAME_SHARE_MIN = 0.3;

/** What differs between a removed line and the added one that replaces it; null: nearly everything. */
export function wordMarks(before: string, after: string): readonly [MarkedPart[], MarkedPart[]] | null {
  const [old, young] = [before.match(WORD) ?? [], after.match(WORD) ?? []];
  let start = 0;
  while (start < old.length && start < young.length && old[start] === young[start]) start += 1;
  let end = 0;
  const room = Math.min(old.length, young.length) - start;
  while (end < room && old[old.length - 1 - end] === young[young.length - 1 - end]) end += 1;
  const [oldMiddle, youngMiddle] = [old.slice(start, old.length - end), young.slice(start, young.length - end)];
  const kept = keptOf(oldMiddle, youngMiddle);
  const marked = (words: readonly string[], middle: readonly string[], isKept: ReadonlySet<number>): MarkedPart[] =>
    joined([
      ...words.slice(0, start).map((text) => ({ text, isMarked: false })),
      ...middle.map((text, i) => ({ text, isMarked: !isKept.has(i) })),
      ...words.slice(words.length - end).map((text) => ({ text, isMarked: false })),
    ]);
  const both = [marked(old, oldMiddle, kept.old), marked(young, youngMiddle, kept.young)] as const;
  return Math.min(...both.map(sameShare)) < SAME_SHARE_MIN ? null : both;
}

/** The words that are in both, in their order. */
function keptOf(old: readonly string[], young: readonly string[]) {
  const kept = { old: new Set<number>(), young: new Set<number>() };
  if (old.length > WORDS_MAX || young.length > WORDS_MAX) return kept;
  const width = young.length + 1;
  const longest = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = young.length - 1; j >= 0; j -= 1)
      longest[i * width + j] = old[i] === young[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  for (let i = 0, j = 0; i < old.length && j < young.length; ) {
    if (old[i] === young[j]) {
      kept.old.add(i);
      kept.young.add(j);
      [i, j] = [i + 1, j + 1];
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return kept;
}

function joined(parts: readonly MarkedPart[]): MarkedPart[] {
  const all: MarkedPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last?.isMarked === part.isMarked) all[all.length - 1] = { ...last, text: last.text + part.text };
    else all.push(part);
  }
  return all;
}

function sameShare(parts: readonly MarkedPart[]): number {
  const length = (only: readonly MarkedPart[]): number => only.reduce((sum, { text }) => sum + text.trim().length, 0);
  const whole = length(parts);
  return whole === 0 ? 1 : length(parts.filter(({ isMarked }) => !isMarked)) / whole;
}
