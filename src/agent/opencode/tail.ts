import type { OpenCall } from '../../core/session.ts';
import { shortened } from '../../core/shortened.ts';
import type { Judged, Judgement, Tail } from '../seam/conversations.ts';
import { asFields, asNumber, asText, type Fields, readJsonLines } from '../seam/json.ts';
import { isTrivial } from '../seam/trivial.ts';
import { errorText, isAborted, troubleOf } from './trouble.ts';

/** A message of the last turn, and its parts, oldest first. */
export interface TurnMessage {
  readonly id: string;
  readonly data: Fields;
  readonly parts: readonly Fields[];
}

/** Reasons after which OpenCode asks the model again, and all others. */
const GOES_ON: readonly string[] = ['tool-calls', 'unknown'];
const ENDS: readonly string[] = ['stop', 'length', 'content-filter', 'error', 'other'];
const STATUSES: readonly unknown[] = ['pending', 'running', 'completed', 'error'];
const CANCELLED = 'Cancelled';

/** Judges the last turn by its rows. A row that cannot be read may be the one that decides. */
export function judgeRows({ text }: Tail): Judged {
  const { skipped } = readJsonLines(text);
  const messages = messagesIn(text);
  if (messages === null) return { is: 'unknown', why: 'a row of its last turn cannot be read', skipped };
  return { ...judgementOf(messages), skipped };
}

/** The messages in these rows, oldest first; null: something in them cannot be read, or does not fit together. */
export function messagesIn(text: string): readonly TurnMessage[] | null {
  const { lines, skipped } = readJsonLines(text);
  const rows = lines.flatMap((line) => (line.is === 'object' ? [line.fields] : []));
  const parts = rows.filter(({ table }) => table === 'part').toSorted(byId);
  const messages = rows.filter(({ table }) => table === 'message').toSorted(byId);
  if (skipped > 0 || parts.length + messages.length < rows.length) return null;
  const known = new Set(messages.map(({ id }) => id));
  if (!messages.every(isMessage) || !parts.every((row) => known.has(row.message_id) && isPart(row))) return null;
  const found = messages.map(({ id, data }): TurnMessage => {
    const own = parts.filter((row) => row.message_id === id).map((row) => asFields(row.data) ?? {});
    return { id: asText(id) ?? '', data: asFields(data) ?? {}, parts: own };
  });
  // Ids grow with time.
  const isOrdered = found.every((each, i) => i === 0 || createdAt(found[i - 1]) <= createdAt(each));
  return isOrdered ? found : null;
}

function byId(a: Fields, b: Fields): number {
  return (asText(a.id) ?? '') < (asText(b.id) ?? '') ? -1 : 1;
}

function isMessage({ data }: Fields): boolean {
  const { role, time } = asFields(data) ?? {};
  return (role === 'user' || role === 'assistant') && asNumber(asFields(time)?.created) !== null;
}

function isPart({ data }: Fields): boolean {
  const { type, state } = asFields(data) ?? {};
  return asText(type) !== null && (type !== 'tool' || STATUSES.includes(asFields(state)?.status));
}

function createdAt(message: TurnMessage | undefined): number {
  return asNumber(asFields(message?.data.time)?.created) ?? 0;
}

/** Whether OpenCode would ask the model again. */
function judgementOf(all: readonly TurnMessage[]): Judgement {
  const messages = withoutAsides(all);
  const last = messages.at(-1);
  const user = messages.findLast(({ data }) => data.role === 'user');
  if (last === undefined) return { is: 'complete', why: 'it has no turn' };
  if (user === undefined) return { is: 'unknown', why: 'no person asked for its last turn' };
  const judgement = last === user ? INTERRUPTED : replyJudgement(last, user);
  if (judgement.is !== 'interrupted') return judgement;
  if (user.parts.length === 0) return { is: 'unknown', why: 'its last request was not stored whole' };
  if (isSynthetic(user)) return { is: 'unknown', why: 'no person began its last turn' };
  return last === user && isAsked(user) && isTrivial(textOf(user)) ? trivial(textOf(user)) : judgement;
}

function replyJudgement(reply: TurnMessage, user: TurnMessage): Judgement {
  const { error, time, summary, parentID } = reply.data;
  const failure = asFields(error);
  if (failure !== null) return failureJudgement(failure);
  const [finish, isWhole] = [asText(reply.data.finish), asNumber(asFields(time)?.completed) !== null];
  if (finish === null && !isWhole) return INTERRUPTED;
  if (reply.parts.some(({ state }) => asFields(state)?.error === CANCELLED)) return STOPPED;
  // A reply that was stopped while the model was asked again is complete, and has neither an end nor an error.
  if (finish === null) return STOPPED;
  if (GOES_ON.includes(finish)) return INTERRUPTED;
  if (!isWhole || !ENDS.includes(finish)) return { is: 'unknown', why: 'the end of its last reply is incomplete' };
  if (parentID !== user.id) return { is: 'unknown', why: 'its last reply answers another message' };
  if (reply.parts.some(({ type }) => type === 'tool'))
    return { is: 'unknown', why: 'its last reply has ended with a call' };
  // The summary of a conversation that was too long; OpenCode then goes on with the turn.
  return summary === true ? INTERRUPTED : { is: 'complete', why: 'the last turn has ended' };
}

function failureJudgement(failure: Fields): Judgement {
  if (isAborted(failure)) return STOPPED;
  const why = errorText(failure);
  return troubleOf(failure, 0).kind === 'limited'
    ? { is: 'limited', why }
    : { is: 'failed', why: `the last turn failed: ${why}` };
}

const INTERRUPTED = { is: 'interrupted', why: 'the last turn has no end' } as const;
const STOPPED = { is: 'complete', why: 'a person stopped the turn' } as const;

function trivial(asked: string): Judgement {
  return { is: 'trivial', why: `the last message needs no answer: ${asked.trim().slice(0, 40)}` };
}

/** A command that a person ran in the shell, and a compaction that a person asked for, are no turns of the model. */
function withoutAsides(all: readonly TurnMessage[]): readonly TurnMessage[] {
  const asides = new Set(all.filter(isAside).map(({ id }) => id));
  return all.filter(({ id, data }) => !asides.has(id) && !asides.has(asText(data.parentID) ?? ''));
}

const SHELL = 'The following tool was executed by the user';

function isAside({ data, parts }: TurnMessage): boolean {
  if (data.role !== 'user') return false;
  return parts.some(
    ({ type, auto, text }) => (type === 'compaction' && auto === false) || (type === 'text' && text === SHELL),
  );
}

/** Everything in it was added by OpenCode itself; but after a compaction that it began, the turn goes on so. */
function isSynthetic({ parts }: TurnMessage): boolean {
  return parts.every(
    ({ synthetic, metadata }) => synthetic === true && asFields(metadata)?.compaction_continue !== true,
  );
}

/** Did somebody ask for something in it? */
export function isAsked({ data, parts }: TurnMessage): boolean {
  return data.role === 'user' && parts.some(({ type, synthetic }) => type !== 'compaction' && synthetic !== true);
}

/** The text of a request. A file alone is one too. */
export function textOf(message: TurnMessage | undefined): string {
  const parts = message?.parts.filter(({ type, synthetic }) => type === 'text' && synthetic !== true) ?? [];
  return parts.flatMap(({ text }) => asText(text) ?? []).join('\n') || '(a file)';
}

/** The calls without a result. */
export function openCalls(messages: readonly TurnMessage[]): OpenCall[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap(({ type, tool, callID, state }): OpenCall[] => {
      const { status, input } = asFields(state) ?? {};
      if (type !== 'tool' || (status !== 'pending' && status !== 'running')) return [];
      const text = shortened(JSON.stringify(input ?? null));
      return [{ id: asText(callID) ?? '', tool: asText(tool) ?? 'unknown', input: text }];
    }),
  );
}
