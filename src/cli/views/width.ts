import { beginningOf, textWidth } from '../../base/grapheme-width.ts';

// Texts of so many columns on a terminal.

/** The beginning of a text that fits into so many columns; what was cut ends with an ellipsis. */
export function cutColumns(text: string, columnsMax: number): string {
  if (textWidth(text) <= columnsMax) return text;
  return columnsMax <= 0 ? '' : `${beginningOf(text, columnsMax - 1)}…`;
}

/** A text of exactly so many columns, cut or filled with blanks; `end` puts it at the right. */
export function fitColumns(text: string, columns: number, side: 'start' | 'end' = 'start'): string {
  const shown = cutColumns(text, columns);
  const blanks = ' '.repeat(Math.max(columns - textWidth(shown), 0));
  return side === 'start' ? shown + blanks : blanks + shown;
}
