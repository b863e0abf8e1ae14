import { asFields, asList, asNumber, asText, type Fields } from '../seam/json.ts';
import type { Incoming, Received, ReceivedAt, ServerReport } from '../seam/server.ts';
import { agentsAllow, configAllows, sessionAllows } from './permissions.ts';
import { eventReceived, messageTaken, partTaken, questionTaken, statusTaken } from './server-events.ts';
import { openedReport } from './server-reports.ts';
import { ADOPT, AGENTS, CONFIG, MESSAGES, messagesOf, OPEN, PERMISSIONS, STATUS } from './server-requests.ts';
import { type OpencodeState, withId, without, withoutId } from './server-state.ts';

type Changed = Pick<Received<OpencodeState>, 'state' | 'reports'>;
type Answer = Extract<Incoming, { is: 'answer' }>;

/**
 * Handles the answer to a call of ours, and the events that waited for it. Of a copy, the messages are read when it is
 * there: our next id must be greater than theirs.
 */
export function answerReceived(state: OpencodeState, answer: Answer, at: ReceivedAt): Received<OpencodeState> {
  const isOpening = answer.to === OPEN && state.isCopy && answer.status < 400 && answer.status > 0;
  const { state: taken, reports } = answerTaken(state, answer, at);
  if (isOpening && taken.session !== null) {
    const pending = withId(withoutId(taken.pending, OPEN), MESSAGES);
    return { state: { ...taken, pending }, reports, send: [messagesOf(taken.session)] };
  }
  const isOpened = answer.status > 0 && taken.pending.includes(answer.to);
  const known = isOpened ? { ...taken, pending: withoutId(taken.pending, answer.to) } : taken;
  if (known.pending.length > 0 || known.early.length === 0) return { state: known, reports, send: [] };
  return known.early.reduce(
    (all: Received<OpencodeState>, event) => {
      const next = eventReceived(all.state, event, at);
      return { state: next.state, reports: [...all.reports, ...next.reports], send: [...all.send, ...next.send] };
    },
    { state: { ...known, early: [] }, reports, send: [] },
  );
}

function answerTaken(state: OpencodeState, { to, status, data }: Answer, at: ReceivedAt): Changed {
  // A broken connection proves nothing.
  if (!state.sent.includes(to) || status === 0) return same(state);
  if (status >= 400) return same(refused(state, to, data));
  const known = { ...state, taken: withId(state.taken, to) };
  switch (to) {
    case OPEN:
    case ADOPT:
      return opened(known, asFields(data) ?? {}, at.run);
    case CONFIG:
      return same(configAllows(asFields(data) ?? {}) ? unsafe(known) : known);
    case AGENTS:
      return same(agentsAllow(asList(data)) ? unsafe(known) : known);
    case STATUS:
      return statusTaken(known, asFields(asFields(data)?.[state.session ?? '']) ?? {}, at);
    case PERMISSIONS:
      return questionsTaken(known, asList(data));
    case MESSAGES:
      return messagesTaken(known, asList(data), at);
    default:
      return same(answered(known, to));
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

/** The list of all open questions: earlier ones that are not in it no longer wait. */
function questionsTaken(state: OpencodeState, list: readonly unknown[]): Changed {
  return list.reduce(
    ({ state: known, reports }: Changed, each) => joined(reports, questionTaken(known, asFields(each) ?? {})),
    same({ ...state, questions: {} }),
  );
}

/** Reads the messages of the conversation. Those from before this process are not reported. */
function messagesTaken(state: OpencodeState, list: readonly unknown[], at: ReceivedAt): Changed {
  const taken = list.reduce((all: Changed, each): Changed => {
    const message = joined(all.reports, messageTaken(all.state, asFields(asFields(each)?.info) ?? {}, at));
    const parts = asList(asFields(each)?.parts).map((part) => asFields(part) ?? {});
    return parts.reduce(({ state: now, reports }: Changed, part) => joined(reports, partTaken(now, part, at)), message);
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
