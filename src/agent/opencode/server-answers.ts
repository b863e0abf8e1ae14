import { asFields, asList, asNumber, asText, type Fields } from '../seam/json.ts';
import type { Incoming, Received, ReceivedAt, ServerReport } from '../seam/server.ts';
import { messageTaken, partTaken, questionTaken, statusTaken } from './server-events.ts';
import { openedReport } from './server-reports.ts';
import { ADOPT, CONFIG, MESSAGES, OPEN, PERMISSIONS, STATUS } from './server-requests.ts';
import { type OpencodeState, withId, without } from './server-state.ts';

type Changed = Pick<Received<OpencodeState>, 'state' | 'reports'>;
type Answer = Extract<Incoming, { is: 'answer' }>;

/** Handles the answer to a call of ours. One that we never made changes nothing. */
export function answerTaken(state: OpencodeState, { to, status, data }: Answer, at: ReceivedAt): Changed {
  // A broken connection proves nothing.
  if (!state.sent.includes(to) || status === 0) return same(state);
  if (status >= 400) return same(refused(state, to, data));
  const known = { ...state, taken: withId(state.taken, to) };
  switch (to) {
    case OPEN:
    case ADOPT:
      return opened(known, asFields(data) ?? {}, at.run);
    case CONFIG:
      return same(configTaken(known, asFields(data) ?? {}));
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
  const isOpening = to === OPEN || to === ADOPT || to === CONFIG;
  const body = asFields(data);
  const why = asText(asFields(body?.data)?.message) ?? asText(body?.message) ?? 'it opened no conversation';
  return { ...state, refused: withId(state.refused, to), trouble: isOpening ? why : state.trouble };
}

function opened(state: OpencodeState, info: Fields, run: number): Changed {
  const id = asText(info.id);
  if (id === null) return same({ ...state, trouble: 'it names no conversation' });
  const createdMs = asNumber(asFields(info.time)?.created) ?? 0;
  return { state: { ...state, session: id, createdMs }, reports: [openedReport(run, id)] };
}

/** An answered question no longer waits. */
function answered(state: OpencodeState, to: string): OpencodeState {
  const question = to.startsWith('answer ') ? to.slice('answer '.length) : null;
  return question === null ? state : { ...state, questions: without(state.questions, question) };
}

/** A permission without a question, even for one tool of one of its agents, would bypass the gate. */
function configTaken(state: OpencodeState, config: Fields): OpencodeState {
  const agents = Object.values(asFields(config.agent) ?? {}).map((agent) => asFields(agent)?.permission);
  const isAll = asFields(config.permission)?.['*'] === 'ask';
  if (isAll && ![config.permission, ...agents].some(allows)) return state;
  return { ...state, trouble: 'its configuration allows tools without asking' };
}

function allows(permission: unknown): boolean {
  if (permission === 'allow') return true;
  return Object.values(asFields(permission) ?? {}).some(allows);
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
