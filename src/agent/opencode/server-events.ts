import { asFields, asNumber, asText, type Fields } from '../seam/json.ts';
import type { Received, ReceivedAt, ServerReport } from '../seam/server.ts';
import { messageRows, type Part, partOf, type Reply } from './rows.ts';
import { clearedUp, questionTaken, readOf } from './server-questions.ts';
import * as report from './server-reports.ts';
import { abortOf, timeDigits, tokenOf } from './server-requests.ts';
import { type OpencodeState, withId, without, withoutId } from './server-state.ts';
import { errorText, isAborted, troubleOf } from './trouble.ts';

/** A retry that is further away is a limit. */
const RETRY_MS_MAX = 60_000;

type Changed = Pick<Received<OpencodeState>, 'state' | 'reports'>;
type Take = (state: OpencodeState, properties: Fields, at: ReceivedAt) => Changed;

/** The handler of each event. Most events are irrelevant. */
const EVENTS: Readonly<Record<string, Take>> = {
  'session.status': (state, { sessionID, status }, at) =>
    sessionID === state.session ? statusTaken(state, asFields(status) ?? {}, at) : same(state),
  'session.idle': idle,
  'session.error': (state, { sessionID, error }) =>
    sessionID === state.session ? same({ ...state, error: asFields(error) }) : same(state),
  'session.created': childTaken,
  'message.updated': (state, { info }, at) => messageTaken(state, asFields(info) ?? {}, at),
  'message.part.updated': (state, { part }, at) => partTaken(state, asFields(part) ?? {}, at),
  'permission.asked': (state, properties) => questionTaken(state, properties),
  'permission.replied': (state, { requestID }) => {
    const id = asText(requestID) ?? '';
    return same({ ...state, questions: without(state.questions, id), unclear: without(state.unclear, id) });
  },
};

/**
 * Handles an event of the server. One that comes before the state of the connection is known waits for that. A turn
 * that waits for a limit is stopped: when it ends, the prompt is sent again.
 */
export function eventReceived(state: OpencodeState, event: Fields, at: ReceivedAt): Received<OpencodeState> {
  const type = asText(event.type) ?? '';
  const take = Object.hasOwn(EVENTS, type) ? EVENTS[type] : undefined;
  if (take === undefined) return { ...same(state), send: [] };
  if (state.session === null || state.pending.length > 0)
    return { ...same({ ...state, early: [...state.early, event] }), send: [] };
  if (type === 'session.idle' && isOld(state, event)) return { ...same(state), send: [] };
  if (type === 'permission.asked') return askedReceived(state, asFields(event.properties) ?? {});
  const next = take(state, asFields(event.properties) ?? {}, at);
  const clear = clearedUp(next.state);
  const isLimited = next.state.limit !== null && state.limit === null;
  const reports = [...next.reports, ...clear.reports];
  return { state: clear.state, reports, send: isLimited ? [abortOf(next.state)] : [] };
}

/** A question may come before its call. */
function askedReceived(state: OpencodeState, question: Fields): Received<OpencodeState> {
  const read = readOf(state, question);
  if (read === null) return { ...questionTaken(state, question), send: [] };
  const unclear = { ...state.unclear, [asText(question.id) ?? '']: question };
  return { ...same({ ...state, unclear, pending: withId(state.pending, read.id) }), send: [read] };
}

/** An end that was reported before the newest prompt was created. The id of an event has its time. */
function isOld({ askedAtMs }: OpencodeState, { id }: Fields): boolean {
  const digits = /^evt_([0-9a-f]{12})/.exec(asText(id) ?? '')?.[1];
  return digits !== undefined && digits < timeDigits(askedAtMs);
}

/** Handles a status: busy, idle, or waiting for a retry of the model request. */
export function statusTaken(state: OpencodeState, status: Fields, { run, nowMs }: ReceivedAt): Changed {
  const isBusy = status.type === 'busy' || status.type === 'retry';
  const next = asNumber(status.next);
  const mark = `${state.turns[0] ?? ''} ${asNumber(status.attempt) ?? next}`;
  const text = asText(status.message) ?? 'it retries the model request';
  const reports = status.type === 'retry' ? [report.retryReport(run, mark, text)] : [];
  const isLimit = status.type === 'retry' && next !== null && next > nowMs + RETRY_MS_MAX;
  // It adds a time that has whole seconds to its clock.
  const untilMs = Math.round((next ?? 0) / 1_000) * 1_000;
  return { state: { ...state, isBusy, ...(isLimit && { limit: { untilMs, text } }) }, reports };
}

/** No turn runs any more: whatever was not answered until now will not be. */
function idle(state: OpencodeState, { sessionID }: Fields, at: ReceivedAt): Changed {
  const session = asText(sessionID) ?? '';
  if (state.children.includes(session)) {
    const rest = { ...state, children: withoutId(state.children, session) };
    return { state: rest, reports: [report.subagentReport(at.run, session, null)] };
  }
  if (session !== state.session) return same(state);
  const reports = state.turns.map((turn) => {
    const reply = state.reply.prompt === turn ? textOf(state) : '';
    if (state.limit !== null) return limitedReport(state, turn, at);
    if (isAborted(state.error)) return report.cancelledReport(at.run, turn, reply);
    if (state.error !== null) return failedReport(turn, state.error, at);
    return report.stoppedReport(at.run, turn, reply, null);
  });
  const over = { ...state, isBusy: false, turns: [], error: null, calls: {}, questions: {}, unclear: {}, limit: null };
  return { state: over, reports };
}

function failedReport(turn: string, error: Fields, { run, nowMs }: ReceivedAt): ServerReport {
  return report.stoppedReport(run, turn, errorText(error), troubleOf(error, nowMs));
}

/** The turn was stopped by us because of a limit. */
function limitedReport({ limit }: OpencodeState, turn: string, { run }: ReceivedAt): ServerReport {
  const { text, untilMs } = limit ?? { text: '', untilMs: null };
  return report.stoppedReport(run, turn, text, { kind: 'limited', untilMs });
}

function textOf({ reply }: OpencodeState): string {
  return Object.values(reply.texts).join('\n');
}

function childTaken(state: OpencodeState, { info: value }: Fields, { run }: ReceivedAt): Changed {
  const info = asFields(value) ?? {};
  const id = asText(info.id);
  if (id === null || state.session === null || info.parentID !== state.session) return same(state);
  const kind = asText(info.agent) ?? asText(info.title) ?? 'unknown';
  return {
    state: { ...state, children: withId(state.children, id) },
    reports: [report.subagentReport(run, id, kind)],
  };
}

/** Handles a message: one of the user begins a turn; one of the model may end it. */
export function messageTaken(state: OpencodeState, info: Fields, at: ReceivedAt): Changed {
  const id = asText(info.id);
  if (id === null || info.sessionID !== state.session) return same(state);
  const [row] = messageRows(id, info);
  const known = { ...state, lastMessage: [id, state.lastMessage].sort().at(-1) ?? id };
  if (row?.is === 'reply') return replyTaken(known, row, at);
  if (row?.is !== 'user' || state.received.includes(id)) return same(known);
  const [received, unreported, turns] = [known.received, known.unreported, known.turns].map((ids) => withId(ids, id));
  const asked = { askedAtMs: Math.max(known.askedAtMs, row.atMs ?? 0), error: null };
  return same({ ...known, ...asked, received: received ?? [], unreported: unreported ?? [], turns: turns ?? [] });
}

function replyTaken(state: OpencodeState, { id, prompt, isWhole, finish, error }: Reply, at: ReceivedAt): Changed {
  const isNewer = id > state.reply.message;
  const known = isNewer ? { ...state, reply: { message: id, prompt, texts: {} } } : state;
  const isOver = error !== null || (isWhole && finish !== 'tool-calls');
  if (!isOver || !state.turns.includes(prompt)) return same(known);
  const over = { ...known, turns: withoutId(known.turns, prompt) };
  if (state.limit !== null) return { state: over, reports: [limitedReport(state, prompt, at)] };
  if (error !== null && !isAborted(error)) return { state: over, reports: [failedReport(prompt, error, at)] };
  const reply = known.reply.message === id ? textOf(known) : '';
  if (error !== null || finish === null)
    return { state: over, reports: [report.cancelledReport(at.run, prompt, reply)] };
  return { state: over, reports: [report.stoppedReport(at.run, prompt, reply, null)] };
}

/** Handles a part of a message: a text, or a tool call and its state. */
export function partTaken(state: OpencodeState, data: Fields, { run }: ReceivedAt): Changed {
  const [id, message, session] = [asText(data.id), asText(data.messageID), asText(data.sessionID)];
  const part = partOf(data);
  if (part === null || id === null || message === null) return same(state);
  if (part.is === 'tool') return toolTaken(state, part, session === state.session ? null : session, run);
  if (session !== state.session) return same(state);
  if (part.is === 'compacted') return { state, reports: [report.compactedReport(run, id)] };
  if (part.is !== 'text') return same(state);
  if (state.unreported.includes(message)) {
    const next = { ...state, unreported: withoutId(state.unreported, message) };
    return { state: next, reports: [report.promptedReport(run, message, tokenOf(state, message), part.text)] };
  }
  if (state.reply.message !== message) return same(state);
  const texts = { ...state.reply.texts, [id]: part.text };
  return same({ ...state, reply: { ...state.reply, texts } });
}

type Tool = Extract<Part, { is: 'tool' }>;

function toolTaken(state: OpencodeState, part: Tool, subagent: string | null, run: number): Changed {
  const { call, tool, input, result } = part;
  const reports = [report.toolReport(run, part, subagent)];
  if (result !== null) return { state: { ...state, calls: without(state.calls, call) }, reports };
  // While it is pending, its input is incomplete.
  if (Object.keys(asFields(input) ?? {}).length === 0) return same(state);
  return { state: { ...state, calls: { ...state.calls, [call]: { tool, input } } }, reports };
}

function same(state: OpencodeState): Changed {
  return { state, reports: [] };
}
