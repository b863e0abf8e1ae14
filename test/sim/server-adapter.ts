// How the fake agent is driven by messages: an adapter as small as one can be.
import type {
  Incoming,
  Outgoing,
  Proof,
  ServerDrive,
  ServerIntent,
  ServerReport,
} from '../../src/agent/seam/server.ts';
import type { HookInput } from '../../src/core/event.ts';
import type { ApprovalId } from '../../src/core/session.ts';

/** keeps: what we send is in a file, and so is what the agent says. forgets: both may get lost with the connection. */
export type WireKind = 'keeps' | 'forgets';

/** What the agent says. */
export type Said =
  | Numbered
  /** The current state, for a new connection. */
  | { readonly open: Open }
  /** It sends an unknown request. */
  | { readonly request: string }
  /** It sends a stray answer. */
  | { readonly answerTo: string };

/** `question`: the agent's own name of it. */
interface Numbered {
  readonly report: HookInput;
  readonly nth: number;
  readonly question: string;
}

export interface Open {
  readonly isBusy: boolean;
  readonly questions: readonly string[];
  /** All that it has reported and that still matters, oldest first. */
  readonly reports: readonly Numbered[];
}

/** What it is told. */
export type Told =
  | Hello
  | { readonly prompt: string; readonly text: string; readonly steer: boolean }
  | { readonly answer: string; readonly allow: boolean }
  | { readonly interrupt: string }
  | { readonly error: string };

/** The first message of a connection. `conversation`: the one to go on with; null: a new one. */
export interface Hello {
  readonly hello: true;
  readonly conversation: string | null;
  readonly isAdopted: boolean;
}

interface State {
  readonly isGreeted: boolean;
  readonly isBusy: boolean;
  readonly questions: readonly string[];
  readonly heard: readonly string[];
  readonly sent: readonly string[];
  readonly isAdopted: boolean;
}

const EMPTY: State = { isGreeted: false, isBusy: false, questions: [], heard: [], sent: [], isAdopted: false };

export function adapterOf(kind: WireKind): ServerDrive<State> {
  return {
    wire: kind === 'keeps' ? { over: 'stdio' } : { over: 'websocket', socket: 'agent.sock' },
    empty: EMPTY,
    isCommand: () => false,
    verdict: () => 'crashed',
    hello: (_, { conversation, isAdopted }) => [message('hello', { hello: true, conversation, isAdopted })],
    receive: (state, incoming) => receive(state, incoming),
    sent: afterSent,
    request: (_, intent) => requestOf(intent),
    proof: (state, intent) => proofOf(kind, state, intent),
    view: ({ isGreeted, isBusy, questions, sent }) => ({
      is: isGreeted ? (isBusy ? 'busy' : 'idle') : 'starting',
      questions: questions.filter((question) => !sent.includes(`answer ${question}`)),
      trouble: null,
    }),
  };
}

function message(id: string, data: Told): Outgoing {
  return { is: 'message', id, data };
}

function requestOf(intent: ServerIntent): Outgoing {
  switch (intent.do) {
    case 'deliver':
      return message(`deliver ${intent.token}`, { prompt: intent.token, text: intent.text, steer: intent.steer });
    case 'answer':
      return message(`answer ${intent.question}`, { answer: intent.question, allow: intent.allow });
    case 'interrupt':
      return message(`interrupt ${intent.token}`, { interrupt: intent.token });
    case 'close':
      return message('close', { error: 'close' });
  }
}

function afterSent(state: State, { id, ...message }: Outgoing): State {
  const told = (message.is === 'message' ? message.data : {}) as Told;
  const isAdopted = state.isAdopted || ('hello' in told && told.isAdopted);
  return { ...state, isAdopted, sent: [...state.sent, id] };
}

/** What an earlier daemon sent to a process that was adopted is known to nobody, where messages are not kept. */
function proofOf(kind: WireKind, { sent, heard, isAdopted }: State, intent: ServerIntent): Proof {
  if (intent.do === 'deliver' && heard.includes(intent.token)) return 'done';
  const isSent = sent.includes(requestOf(intent).id);
  if (kind === 'keeps') return isSent ? 'done' : 'not-done';
  return isSent || isAdopted ? 'unknown' : 'not-done';
}

function receive(state: State, incoming: Incoming): ReturnType<ServerDrive<State>['receive']> & { state: State } {
  const nothing = { state, reports: [], send: [] };
  if (incoming.is !== 'message') return nothing;
  const said = incoming.data as Said;
  if ('request' in said) return { ...nothing, send: [message(`error ${said.request}`, { error: said.request })] };
  if ('report' in said) return { state: after(state, said), reports: [reportOf(said)], send: [] };
  if (!('open' in said)) return nothing;
  const { isBusy, questions, reports } = said.open;
  const told = reports.reduce(after, state);
  return { state: { ...told, isGreeted: true, isBusy, questions }, reports: reports.map(reportOf), send: [] };
}

function after(state: State, { report, question }: Numbered): State {
  switch (report.type) {
    case 'hook.prompted':
      return { ...state, isBusy: true, heard: [...state.heard, report.token ?? ''] };
    case 'hook.asked':
      return { ...state, questions: [...state.questions, question] };
    case 'hook.stopped':
      return { ...state, isBusy: false, questions: [] };
    default:
      return state;
  }
}

/** What the fake agent would call the question about a call if it asked by a hook. */
export function approvalOf(call: string | null): ApprovalId {
  return `${call?.slice(0, -2)}/a` as ApprovalId;
}

function reportOf({ report, nth, question }: Numbered): ServerReport {
  if (report.type !== 'hook.asked') return { key: `${report.type} ${nth}`, says: report };
  const { call, tool, subagent } = report;
  const asked = { confirms: false, call, tool, input: { call }, subagent, cwd: null };
  return { key: `asked ${question}`, says: { type: 'asked', question, call: asked } };
}
