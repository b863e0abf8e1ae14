import { textWidth } from '../../base/grapheme-width.ts';

/** A part of a row of a terminal: ordinary text, or one letter that has to be exactly so many columns wide. */
export interface Cell {
  readonly text: string;
  /** Null: the font has the right width. */
  readonly columns: number | null;
}

/** Letters that every fixed-width font has: they are as wide as a column. */
const ORDINARY = /^[\x20-\x7e\u00a0-\u024f\u2500-\u259f]*$/;

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The parts of a row: wide letters, emoji and whatever comes from another font get columns of their own. */
export function cellsOf(text: string): readonly Cell[] {
  if (ORDINARY.test(text)) return [{ text, columns: null }];
  const cells: { text: string; columns: number | null }[] = [];
  for (const { segment } of letters.segment(text)) {
    const last = cells.at(-1);
    if (!ORDINARY.test(segment)) cells.push({ text: segment, columns: textWidth(segment) });
    else if (last?.columns === null) last.text += segment;
    else cells.push({ text: segment, columns: null });
  }
  return cells;
}
