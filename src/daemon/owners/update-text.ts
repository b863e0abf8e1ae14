import type { NoticeItem } from '../notices/item.ts';
import { headline } from '../notices/text.ts';
import { cut } from '../views/one-line.ts';

/** Of the reply of a session that is removed right away, so much is told: nobody can read it later. */
const REPLY_CHARS_MAX = 4_000;

/** What an owner is told of one of its sessions: its full id, what happened, the last lines, how to read the rest. */
export function updateText(item: NoticeItem, reply: string | null): string {
  const { session, name, position } = item;
  const who = name === null ? session : `${session} (${name})`;
  const lines = (reply === null ? item.snippet : cut(reply, REPLY_CHARS_MAX)).split('\n').filter((line) => line !== '');
  const rest = reply === null ? restOf(item) : 'It is removed (unless its worktree has work): this is all there is.';
  // The name stands in front already.
  const what = headline({ ...item, name: null });
  return [`- ${who} [${position}]: ${what}`, ...lines.map((line) => `  | ${line}`), `  ${rest}`].join('\n');
}

/** To read a question and to answer it are two things: nobody must say yes who only wanted to read. */
function restOf({ event, session, read }: NoticeItem): string {
  if (event === 'approval.asked') return `Read all of it: outlast approvals ${session}\n  Answer it: ${read}`;
  if (event === 'session.held' || event === 'prompt.unsure') return `For a person: ${read}`;
  return `Read the rest: ${read}`;
}
