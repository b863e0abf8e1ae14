import { textWidth } from '../../base/grapheme-width.ts';

/** At least so many columns are for the text beside its indent; else the indent is dropped. */
const TEXT_COLUMNS_MIN = 30;
const DEEP_INDENT = 6;

/** A text whose lines break between words at the edge of the terminal, below where their last column begins. */
export function folded(text: string, columns: number): string {
  if (!Number.isFinite(columns)) return text;
  return text
    .split('\n')
    .flatMap((line) => foldedLine(line, columns))
    .join('\n');
}

function foldedLine(line: string, columns: number): string[] {
  if (textWidth(line) <= columns) return [line];
  const [head = ''] = /^ +\S.*? {2,}(?=\S)|^\S+(?: \S+)* {2,}(?=\S)|^ */.exec(line) ?? [];
  const deep = textWidth(head);
  const indent = ' '.repeat(columns - deep < TEXT_COLUMNS_MIN ? DEEP_INDENT : deep);
  const lines: string[] = [];
  let now = head;
  let isEmpty = true;
  for (const word of line.slice(head.length).split(' ')) {
    if (!isEmpty && textWidth(now) + 1 + textWidth(word) > columns) {
      lines.push(now);
      now = indent;
      isEmpty = true;
    }
    now += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, now];
}
