import { graphemesOf } from '../../base/grapheme-width.ts';
import type { Key } from './key.ts';

/** A text that a person types, and the place of the cursor in it. */
export interface Edit {
  readonly text: string;
  readonly cursor: number;
}

export const EMPTY: Edit = { text: '', cursor: 0 };

/** The text after a key; the keys are those of a shell. */
export function edited({ text, cursor }: Edit, key: Key): Edit {
  const [before, after] = [text.slice(0, cursor), text.slice(cursor)];
  const put = (left: string, right: string): Edit => ({ text: left + right, cursor: left.length });
  if (key.is !== 'key') return put(before + key.text, after);
  switch (key.name) {
    case 'left':
    case 'ctrl-b':
      return { text, cursor: withoutLast(before).length };
    case 'right':
    case 'ctrl-f':
      return { text, cursor: cursor + firstOf(after).length };
    case 'home':
    case 'ctrl-a':
      return { text, cursor: 0 };
    case 'end':
    case 'ctrl-e':
      return { text, cursor: text.length };
    case 'backspace':
      return put(withoutLast(before), after);
    case 'delete':
      return put(before, after.slice(firstOf(after).length));
    case 'ctrl-u':
      return put('', after);
    case 'ctrl-k':
      return put(before, '');
    case 'ctrl-w':
      return put(before.replace(/\S*\s*$/, ''), after);
    default:
      return { text, cursor };
  }
}

function firstOf(text: string): string {
  return graphemesOf(text).next().value?.grapheme ?? '';
}

function withoutLast(text: string): string {
  return [...graphemesOf(text)]
    .slice(0, -1)
    .map(({ grapheme }) => grapheme)
    .join('');
}
