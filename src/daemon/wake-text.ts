import type { NoticeItem } from './notices/item.ts';
import { headline } from './notices/text.ts';
import { cut } from './one-line.ts';

/** Of the reply of a session that is removed right away, so much is told: nobody can read it later. */
const REPLY_CHARS_MAX = 4_000;

/** What an owner is told of one of its sessions: its full id, what happened, the last lines, how to read the rest. */
export function newsText(item: NoticeItem, reply: string | null): string {
  const { session, name, position } = item;
  const who = name === null ? session : `${session} (${name})`;
  const lines = (reply === null ? item.snippet : cut(reply, REPLY_CHARS_MAX)).split('\n').filter((line) => line !== '');
  const rest =
    reply === null
      ? `  Read the rest: ${item.read}`
      : '  It is removed (unless its worktree has work): this is all there is.';
  // The name stands in front already.
  const what = headline({ ...item, name: null });
  return [`- ${who} [${position}]: ${what}`, ...lines.map((line) => `  | ${line}`), rest].join('\n');
}
