import { type Fields, readJsonLines } from './json.ts';
import { type Entry, type Reply, readEntry, SYNTHETIC } from './transcript-entry.ts';

/** The records of a transcript in the order of the file, and how many lines could not be read. */
export interface Transcript {
  readonly entries: readonly Entry[];
  readonly skipped: number;
}

/** Where a conversation stands, as far as its transcript tells. */
export interface ConversationState {
  readonly is: 'complete' | 'interrupted' | 'limited' | 'failed' | 'waiting' | 'empty' | 'unknown';
  /** A sentence for people. */
  readonly why: string;
  /** The last text that somebody gave to the agent, be it in the middle of a turn. */
  readonly lastPrompt: string | null;
  /** The text of the last message of the model since then, whole or not. */
  readonly reply: string | null;
  /** Calls of the last turn whose result is not recorded: what they did is unknown. */
  readonly openToolCalls: readonly OpenCall[];
}

/** A tool call without a result. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

type Verdict = Pick<ConversationState, 'is' | 'why'>;

/** Only these say that the model had its say to the end. */
const FINAL = ['end_turn', 'stop_sequence', 'max_tokens', 'refusal'];

/** Tools that do nothing but wait for a person. */
const ASKING = ['AskUserQuestion', 'ExitPlanMode'];

/** Reads a transcript, or the end of one. The order of the file counts: parent ids can be wrong or go in circles. */
export function readLines(text: string): Transcript {
  const { lines, skipped } = readJsonLines(text);
  const entries = lines.flatMap((line): Entry[] =>
    line.is === 'object' ? entriesOf(line.fields) : [{ is: 'unreadable', sidechain: null }],
  );
  return { entries, skipped };
}

/** Judges where the conversation stands. What is not known to be complete is never called complete. */
export function conversationState(entries: readonly Entry[]): ConversationState {
  const main = entries.filter((entry) => entry.sidechain === null && entry.is !== 'noise');
  const open = openCalls(main);
  const last = main.findLast(matters);
  return {
    ...verdict(last, open, main),
    lastPrompt: lastPrompt(main),
    reply: lastReply(main),
    openToolCalls: open,
  };
}

function entriesOf(fields: Fields): Entry[] {
  return readEntry(fields).filter(
    (entry) => entry.is !== 'noise' || entry.usd !== undefined || entry.told !== undefined,
  );
}

/** Commands of Claude Code itself, and the boundary of a compaction, leave a conversation where it was. */
export function matters(entry: Entry): boolean {
  if (entry.is === 'prompt') return entry.how !== 'command' && entry.how !== 'kept';
  return entry.is !== 'noise' && entry.is !== 'compacted';
}

function verdict(last: Entry | undefined, open: readonly OpenCall[], main: readonly Entry[]): Verdict {
  switch (last?.is) {
    case undefined:
      return main.length === 0
        ? { is: 'empty', why: 'nothing was said yet' }
        : { is: 'unknown', why: 'no message of the conversation was found' };
    case 'reply':
      return replyVerdict(last, open, main);
    case 'prompt':
      // The newer Claude Code answers a shell command, the older one does not.
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

function replyVerdict(reply: Reply, open: readonly OpenCall[], main: readonly Entry[]): Verdict {
  if (reply.error !== null) return errorVerdict(reply.error, textOf(reply));
  if (reply.model === SYNTHETIC) return { is: 'interrupted', why: 'the last reply is not the words of a model' };
  if (open.length > 0 && open.every(({ name }) => ASKING.includes(name)))
    return { is: 'waiting', why: `for a person to answer ${open[0]?.name}` };
  if (reply.stopReason === 'tool_use')
    return { is: 'interrupted', why: openWhy(open) ?? 'the reply ends before its tool call' };
  if (reply.stopReason === null) return { is: 'unknown', why: 'the last reply has no stop reason' };
  if (!FINAL.includes(reply.stopReason))
    return { is: 'unknown', why: `the last reply stopped for an unknown reason: ${reply.stopReason}` };
  // Thinking is recorded before the text of the same message: alone, it means that the text is missing.
  if (!messageOf(main, reply).some(({ blocks }) => blocks.some(({ is }) => is === 'text')))
    return { is: 'unknown', why: 'the last reply has no text' };
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

function openCalls(main: readonly Entry[]): OpenCall[] {
  const open = new Map<string, OpenCall>();
  for (const entry of main) {
    // A resumed conversation never gets the results of the run that died; the new prompt closes its account.
    if (entry.is === 'prompt' && entry.how === 'typed') open.clear();
    if (entry.is === 'reply')
      for (const block of entry.blocks)
        if (block.is === 'call') open.set(block.id, { id: block.id, name: block.name, input: block.input });
    if (entry.is === 'results') for (const { id } of entry.results) open.delete(id);
  }
  return [...open.values()];
}

function lastPrompt(main: readonly Entry[]): string | null {
  const prompt = main.findLast(isGiven);
  return prompt?.is === 'prompt' ? prompt.text : null;
}

function isGiven(entry: Entry): boolean {
  return entry.is === 'prompt' && (entry.how === 'typed' || entry.how === 'steering');
}

function lastReply(main: readonly Entry[]): string | null {
  // The reply to an earlier prompt must not pass for the reply to this one.
  const turn = main.slice(main.findLastIndex(isGiven) + 1);
  const last = turn.findLast(
    (entry) => entry.is === 'reply' && entry.error === null && entry.model !== SYNTHETIC && textOf(entry) !== '',
  );
  if (last?.is !== 'reply') return null;
  return messageOf(turn, last)
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n');
}

function messageOf(main: readonly Entry[], reply: Reply): Reply[] {
  if (reply.message === null) return [reply];
  return main.filter((entry): entry is Entry & Reply => entry.is === 'reply' && entry.message === reply.message);
}

function textOf(reply: Reply): string {
  return reply.blocks.flatMap((block) => (block.is === 'text' ? [block.text] : [])).join('\n');
}
