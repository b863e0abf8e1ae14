import type { CliEntry } from './entry.ts';
import { findBy, type PrintedLine } from './finder.ts';

/** The reply so far; null: nothing yet. */
export interface ReplyText {
  readonly text: string | null;
  readonly isCut: boolean;
}

/** Collects a reply. */
interface ReplyReader {
  readonly empty: ReplyText;
  add(known: ReplyText, line: PrintedLine): ReplyText;
  text(known: ReplyText): string;
}

/** Of a longer reply only the end is kept: a program that prints without end must not fill the memory. */
const CHARS_MAX = 256 * 1024;
const CUT = '[the beginning was cut]';

/** The reader of replies: all lines, or what is found in them. Without `join`, the last JSON value is the reply. */
export function replyBy(reply: CliEntry['reply']): ReplyReader {
  const find = reply === undefined ? ({ text }: PrintedLine) => text : findBy(reply);
  const joined = reply === undefined ? '\n' : (reply.join ?? ('regex' in reply ? '\n' : null));
  const empty: ReplyText = { text: null, isCut: false };
  return {
    empty,
    add: (known, line) => {
      const found = find(line);
      if (found === null) return known;
      return joined === null ? added(empty, '', found) : added(known, joined, found);
    },
    text: ({ text, isCut }) => `${isCut ? `${CUT}\n` : ''}${text ?? ''}`.trim(),
  };
}

/** The end is cut off only when there is twice as much, so that a line costs no copy of all that was before it. */
function added({ text, isCut }: ReplyText, joined: string, found: string): ReplyText {
  const all = text === null ? found : `${text}${joined}${found}`;
  return all.length <= 2 * CHARS_MAX ? { text: all, isCut } : { text: all.slice(-CHARS_MAX), isCut: true };
}
