import { type Line, readJsonLines } from '../seam/json.ts';
import { type LastRecord, type OpenCall, Standing } from './standing.ts';
import { type Entry, readEntry, SYNTHETIC } from './transcript-entry.ts';

/** The records of a transcript in the order of the file, and how many lines could not be read. */
export interface Transcript {
  readonly entries: readonly Entry[];
  readonly skipped: number;
}

/** The state of a conversation, as far as its transcript shows. */
export interface ConversationState {
  readonly is: 'complete' | 'interrupted' | 'limited' | 'failed' | 'waiting' | 'empty' | 'unknown';
  /** A sentence for display. */
  readonly why: string;
  /** The last text that the agent got, even in the middle of a turn. */
  readonly lastPrompt: string | null;
  /** The text of the model's last message since then, complete or not. */
  readonly reply: string | null;
  /** Calls of the last turn without a recorded result: what they did is unknown. */
  readonly openToolCalls: readonly OpenCall[];
}

type Verdict = Pick<ConversationState, 'is' | 'why'>;

/** Only these stop reasons mean that the model's answer is complete. */
const FINAL = ['end_turn', 'stop_sequence', 'max_tokens', 'refusal'];

/** Tools that only wait for a person. */
const ASKING = ['AskUserQuestion', 'ExitPlanMode'];

/** Parses a transcript, or the end of one, in the order of the file: parent ids can be wrong or form cycles. */
export function readLines(text: string): Transcript {
  const { lines, skipped } = readJsonLines(text);
  return { entries: lines.flatMap(entriesOf), skipped };
}

/** Judges the state of a conversation. It is `complete` only if that is certain. */
export function conversationState(entries: readonly Entry[]): ConversationState {
  const standing = new Standing();
  for (const entry of entries) standing.add(entry);
  return stateOf(standing);
}

/** The state of a conversation from its summarized records. */
export function stateOf(standing: Standing): ConversationState {
  const { lastPrompt, reply, openCalls } = standing;
  return { ...verdict(standing), lastPrompt, reply, openToolCalls: openCalls };
}

/** The entries of one line of a transcript. */
export function entriesOf(line: Line): Entry[] {
  if (line.is === 'unreadable') return [{ is: 'unreadable', sidechain: null }];
  return readEntry(line.fields).filter(
    (entry) => entry.is !== 'noise' || entry.usd !== undefined || entry.context !== undefined,
  );
}

function verdict(standing: Standing): Verdict {
  const { last, isEmpty, openCalls: open } = standing;
  switch (last?.is) {
    case undefined:
      return isEmpty
        ? { is: 'empty', why: 'there is no message yet' }
        : { is: 'unknown', why: 'no message of the conversation was found' };
    case 'reply':
      return replyVerdict(last, open, standing);
    case 'prompt':
      // Newer versions of Claude Code answer a shell command, older ones do not.
      return last.how === 'shell'
        ? { is: 'unknown', why: 'the last input is a shell command, which may or may not get a reply' }
        : { is: 'interrupted', why: 'the last prompt has no reply' };
    case 'results':
      return { is: 'interrupted', why: openWhy(open) ?? 'the reply to a tool result is missing' };
    case 'interrupted':
      return { is: 'interrupted', why: 'the turn was stopped by a person or a signal' };
    case 'retrying':
      return { is: 'waiting', why: `for the API: ${last.text}` };
    case 'deferred':
      return { is: 'waiting', why: `for a decision about tool call ${last.call}` };
    default:
      return { is: 'unknown', why: 'a line after the last message cannot be read' };
  }
}

type LastReply = Extract<LastRecord, { is: 'reply' }>;

function replyVerdict(reply: LastReply, open: readonly OpenCall[], standing: Standing): Verdict {
  if (reply.error !== null) return errorVerdict(reply.error, reply.text);
  if (reply.model === SYNTHETIC) return { is: 'interrupted', why: 'the last reply was not written by a model' };
  if (open.length > 0 && open.every(({ name }) => ASKING.includes(name)))
    return { is: 'waiting', why: `for a person to answer ${open[0]?.name}` };
  if (reply.stopReason === 'tool_use')
    return { is: 'interrupted', why: openWhy(open) ?? 'the reply ends before its tool call' };
  if (reply.stopReason === null) return { is: 'unknown', why: 'the last reply has no stop reason' };
  if (!FINAL.includes(reply.stopReason))
    return { is: 'unknown', why: `the last reply stopped for an unknown reason: ${reply.stopReason}` };
  // Thinking is recorded before the text of the same message: without a text, the message is incomplete.
  if (!standing.hasText(reply)) return { is: 'unknown', why: 'the last reply has no text' };
  return { is: 'complete', why: `the reply ended with ${reply.stopReason}` };
}

function errorVerdict(error: string, text: string): Verdict {
  const why = text === '' ? error : text;
  return error === 'rate_limit' ? { is: 'limited', why } : { is: 'failed', why: `${error}: ${why}` };
}

function openWhy(open: readonly OpenCall[]): string | null {
  if (open.length === 0) return null;
  return `no result is recorded for ${open.map(({ name, id }) => `${name} ${id}`).join(', ')}`;
}
