import type { Judged, Tail } from '../seam/conversations.ts';
import { isGoAhead, isTrivial } from '../seam/trivial.ts';
import { matters } from './standing.ts';
import { conversationState, readLines } from './transcript.ts';
import type { Entry, Given } from './transcript-entry.ts';

/** The stop reasons in a record that mean that an answer is complete. */
const FINAL = /"stop_reason":\s*"(end_turn|stop_sequence|max_tokens|refusal)"/;

/** A message of Claude Code itself to the model that expects an answer. */
const NOTIFICATION = '<task-notification>';

/** The summary that replaces a long conversation, and notes in tags, even if a tag is damaged. */
const OWN = /^This session is being continued|^\s*<[\w-]+>|<\/[\w-]+>\s*$/;

/**
 * Judges the state of a conversation by the end of its transcript; null when that begins too late to decide. No process
 * works on it: a retry that was announced will never happen.
 */
export function judgeTail({ text, isWhole }: Tail): Judged | null {
  const { entries, skipped } = readLines(withoutHoles(text));
  const said = entries.filter((entry) => entry.is !== 'retrying');
  const main = said.filter((entry) => entry.sidechain === null);
  if (!isWhole && !isEnough(main)) return null;
  if (main.length === 0 && said.length > 0) return { is: 'system', why: 'it belongs to a sub-agent', skipped };
  if (isWhole && skipped > 0 && main.every((entry) => entry.is === 'unreadable'))
    return { is: 'unreadable', why: 'nothing in it can be read', skipped };
  const { is, why } = conversationState(said);
  if (is === 'unknown') return { is, why, skipped };
  // The torn line may be a new request.
  if (is !== 'interrupted' && !isBookkeeping(tornOf(text)))
    return { is: 'unknown', why: 'the last line is torn', skipped };
  if (is === 'empty') return { is: 'complete', why: 'it has no message', skipped };
  if (is !== 'interrupted') return { is, why, skipped };
  const last = main.findLast(matters);
  if (last?.is === 'interrupted') return { is: 'complete', why: 'a person stopped the turn', skipped };
  if (FINAL.test(tornOf(text))) {
    return { is: 'unknown', why: 'the last line is torn, and looks like the end of an answer', skipped };
  }
  if (last?.is === 'prompt' && OWN.test(last.text) && !last.text.startsWith(NOTIFICATION))
    return { is: 'unknown', why: 'the last record looks like a note of the agent itself', skipped };
  if (last?.is !== 'prompt' || last.how !== 'typed' || !wantsNothing(last)) return { is, why, skipped };
  const before = textBefore(main, last);
  if (before === null && !isWhole) return null;
  if (isGoAhead(last.text, before ?? '')) return { is, why: 'a question was answered with yes', skipped };
  return { is: 'trivial', why: `the last message needs no answer: ${last.text.trim().slice(0, 40)}`, skipped };
}

/** True for a line that is for Claude Code itself, judged by its first bytes: some have a hundred kilobytes. */
export function isNoise(head: string): boolean {
  return KNOWN_NOISE.test(head);
}

/** Only known words: a damaged word must not count as one. */
const NOISE =
  'api-request api-request-shape api-request-blob last-prompt atis-latch cost-state mode permission-mode ' +
  'tools-used file-history-snapshot ai-title agent-name summary custom-title pr-link bridge-session ' +
  'worktree-state relocated prompt_snapshot total_tokens_reminder remote_session_change date ' +
  'session_context skill_listing agent_listing_delta deferred_tools_delta model environment ' +
  'hook_success edited_text_file';

/** An attachment follows directly after the id of the record before: further on it may be quoted text. */
const KNOWN_NOISE = new RegExp(
  `^{(?:|"parentUuid":[^,]{0,46},"isSidechain":false,"attachment":{)"type":"(?:${NOISE.replaceAll(' ', '|')})"`,
);

/** Drops records with zeroed bytes: such a record may still parse, but as a different one. */
function withoutHoles(text: string): string {
  if (!text.includes('\0')) return text;
  return text
    .split('\n')
    .map((row) => (/[^\0]\0/.test(row) ? '!' : row))
    .join('\n');
}

/** Only an answer can begin before its last record, and that does not matter for one that ends with its own text. */
function isEnough(main: readonly Entry[]): boolean {
  const last = main.findLastIndex(matters);
  const one = main[last];
  if (one?.is !== 'reply') return one !== undefined;
  if (one.stopReason === 'end_turn' && one.blocks.some(({ is }) => is === 'text')) return true;
  return main.slice(0, last).some((entry) => matters(entry) && !(entry.is === 'reply' && isSame(entry, one)));
}

function isSame(one: { readonly message: string | null }, other: { readonly message: string | null }): boolean {
  return one.message !== null && one.message === other.message;
}

function wantsNothing({ text, images }: Given): boolean {
  return images === 0 && isTrivial(text);
}

/** The model's text before the last entry; null: there is none. */
function textBefore(main: readonly Entry[], last: Entry): string | null {
  const reply = main.slice(0, main.lastIndexOf(last)).findLast((entry) => entry.is === 'reply');
  if (reply?.is !== 'reply') return null;
  return reply.blocks.map((block) => (block.is === 'text' ? block.text : '')).join('');
}

/** True when a torn last line is known to be bookkeeping. */
function isBookkeeping(torn: string): boolean {
  return torn === '' || isNoise(torn);
}

function tornOf(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}
