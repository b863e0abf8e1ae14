import type { NoticeItem } from '../notices/item.ts';
import { headline } from '../notices/text.ts';
import { cut } from '../views/one-line.ts';

/** How much of the reply of a removed session is included: it cannot be read later. */
const REPLY_CHARS_MAX = 4_000;

/** The update for an owner: the session's full id, what happened, the last lines, how to read the rest. */
export function updateText(item: NoticeItem, reply: string | null): string {
  const { session, name, position } = item;
  const who = name === null ? session : `${session} (${name})`;
  const lines = (reply === null ? item.snippet : cut(reply, REPLY_CHARS_MAX)).split('\n').filter((line) => line !== '');
  const rest = reply === null ? restOf(item) : 'It is removed (unless its worktree has work): this is all there is.';
  // The name is already in front.
  const what = headline({ ...item, name: null });
  return [`- ${who} [${position}]: ${what}`, ...lines.map((line) => `  | ${line}`), `  ${rest}`].join('\n');
}

/** Different commands to read a question and to answer it: an owner that only wants to read must not allow it. */
function restOf({ event, session, read }: NoticeItem): string {
  if (event === 'approval.asked') return `Read all of it: outlast approvals ${session}\n  Answer it: ${read}`;
  if (event === 'session.held' || event === 'prompt.unsure') return `For a person: ${read}`;
  return `Read the rest: ${read}`;
}
