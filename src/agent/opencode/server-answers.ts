import { asFields, asList, asNumber, asText, type Fields } from '../seam/json.ts';
import type { Incoming, Received, ReceivedAt, ServerReport } from '../seam/server.ts';
import { agentsAllow, configAllows, sessionAllows } from './permissions.ts';
import { eventReceived, messageTaken, partTaken, statusTaken } from './server-events.ts';
import { callOf, questionTaken, readOf } from './server-questions.ts';
import { openedReport } from './server-reports.ts';
import { ABOUT, ADOPT, AGENTS, CONFIG, MESSAGES, messagesOf, OPEN, PERMISSIONS, STATUS } from './server-requests.ts';
import { type OpencodeState, withId, without, withoutId } from './server-state.ts';

type Changed = Pick<Received<OpencodeState>, 'state' | 'reports'>;
type Answer = Extract<Incoming, { is: 'answer' }>;

/** Handles the answer to a call of ours, and the events that waited for it. One that we never made changes nothing. */
export function answerReceived(state: OpencodeState, answer: Answer, at: ReceivedAt): Received<OpencodeState> {
  // A broken connection proves nothing.
  if (!state.sent.includes(answer.to) || answer.status === 0) return { ...same(state), send: [] };
  const { state: taken, reports, send } = answerTaken(state, answer, at);
  // What it asks for in turn is awaited too.
  const pending = send.reduce((ids, { id }) => withId(ids, id), withoutId(taken.pending, answer.to));
  const known = { ...taken, pending };
  if (pending.length > 0 || known.early.length === 0) return { state: known, reports, send };
  return known.early.reduce(
    (all: Received<OpencodeState>, event) => {
      const next = eventReceived(all.state, event, at);
      return { state: next.state, reports: [...all.reports, ...next.reports], send: [...all.send, ...next.send] };
    },
    { state: { ...known, early: [] }, reports, send },
  );
}

function answerTaken(state: OpencodeState, answer: Answer, at: ReceivedAt): Received<OpencodeState> {
  const { to, status, data } = answer;
  if (to.startsWith(ABOUT)) return { ...clarified(state, to.slice(ABOUT.length), asFields(data) ?? {}, at), send: [] };
  if (status >= 400) return { ...same(refused(state, to, data)), send: [] };
  const known = { ...state, taken: withId(state.taken, to) };
  if (to === PERMISSIONS) return questionsTaken(known, asList(data));
  if (to !== OPEN && to !== ADOPT) return { ...readTaken(known, answer, at), send: [] };
  const next = opened(known, asFields(data) ?? {}, at.run);
  // Of a copy, the messages are read when it is there: our next id must be greater than theirs.
  const { session, isCopy } = next.state;
  return { ...next, send: isCopy && session !== null ? [messagesOf(session)] : [] };
}

function readTaken(state: OpencodeState, { to, data }: Answer, at: ReceivedAt): Changed {
  switch (to) {
    case CONFIG:
      return same(configAllows(asFields(data) ?? {}) ? unsafe(state) : state);
    case AGENTS:
      return same(agentsAllow(asList(data)) ? unsafe(state) : state);
    case STATUS:
      return statusTaken(state, asFields(asFields(data)?.[state.session ?? '']) ?? {}, at);
    case MESSAGES:
      return messagesTaken(state, asList(data), at);
    default:
      return same(answered(state, to));
  }
}

function refused(state: OpencodeState, to: string, data: unknown): OpencodeState {
  const isOpening = [OPEN, ADOPT, CONFIG, AGENTS].includes(to);
  const body = asFields(data);
  const why = asText(asFields(body?.data)?.message) ?? asText(body?.message) ?? 'it opened no conversation';
  return { ...state, refused: withId(state.refused, to), trouble: isOpening ? why : state.trouble };
}

function opened(state: OpencodeState, info: Fields, run: number): Changed {
  const id = asText(info.id);
  if (id === null) return same({ ...state, trouble: 'it names no conversation' });
  const createdMs = asNumber(asFields(info.time)?.created) ?? 0;
  const isGated = state.sent.includes(CONFIG);
  const known = isGated && sessionAllows(info) ? unsafe(state) : state;
  return { state: { ...known, session: id, createdMs }, reports: [openedReport(run, id)] };
}

/** An answered question no longer waits. */
function answered(state: OpencodeState, to: string): OpencodeState {
  const question = to.startsWith('answer ') ? to.slice('answer '.length) : null;
  return question === null ? state : { ...state, questions: without(state.questions, question) };
}

/** A permission without a question, even for one tool of one of its agents, would bypass the gate. */
function unsafe(state: OpencodeState): OpencodeState {
  return { ...state, trouble: 'its configuration allows tools without asking' };
}

/**
 * The list of all open questions: earlier ones that are not in it no longer wait. A question has only a part of the
 * call; if the call is not known, it is read first, so that the same question looks the same on every connection.
 */
function questionsTaken(state: OpencodeState, list: readonly unknown[]): Received<OpencodeState> {
  const all = list.map((each) => asFields(each) ?? {});
  const reads = all.map((question) => readOf(state, question));
  const unclear = Object.fromEntries(
    all.flatMap((each, i) => (reads[i] === null ? [] : [[asText(each.id) ?? '', each]])),
  );
  const clear = all.filter((_, i) => reads[i] === null);
  const taken = clear.reduce(
    ({ state: known, reports }: Changed, each) => joined(reports, questionTaken(known, each)),
    same({ ...state, questions: {}, unclear }),
  );
  return { ...taken, send: reads.flatMap((read) => read ?? []) };
}

/** The message with the call of a question was read, or is gone. */
function clarified(state: OpencodeState, id: string, message: Fields, at: ReceivedAt): Changed {
  const question = state.unclear[id];
  const parts = asList(message.parts).map((part) => asFields(part) ?? {});
  const known = parts.reduce(
    ({ state: now, reports }: Changed, part) => joined(reports, partTaken(now, part, at)),
    same({ ...state, unclear: without(state.unclear, id) }),
  );
  if (question === undefined) return known;
  const call = callOf(question);
  // Its input is not complete yet: the next event has it.
  const isBegun = parts.some(({ callID }) => callID === call) && !Object.hasOwn(known.state.calls, call ?? '');
  if (isBegun) return { ...known, state: { ...known.state, unclear: state.unclear } };
  return joined(known.reports, questionTaken(known.state, question));
}

/** Reads the messages of the conversation. Those from before this process are not reported. */
function messagesTaken(state: OpencodeState, list: readonly unknown[], at: ReceivedAt): Changed {
  const taken = list.reduce((all: Changed, each): Changed => {
    const info = asFields(asFields(each)?.info) ?? {};
    const parts = asList(asFields(each)?.parts).map((part) => asFields(part) ?? {});
    // As it happened: it begins, its parts come, and then it may end.
    const begun = { ...info, time: { created: asFields(info.time)?.created }, finish: null, error: null };
    const message = joined(all.reports, messageTaken(all.state, begun, at));
    const whole = parts.reduce(
      ({ state: now, reports }: Changed, part) => joined(reports, partTaken(now, part, at)),
      message,
    );
    return joined(whole.reports, messageTaken(whole.state, info, at));
  }, same(state));
  if (state.isAdopted) return taken;
  return same({ ...taken.state, turns: [], unreported: [], calls: {}, error: null });
}

function joined(before: readonly ServerReport[], { state, reports }: Changed): Changed {
  return { state, reports: [...before, ...reports] };
}

function same(state: OpencodeState): Changed {
  return { state, reports: [] };
}
