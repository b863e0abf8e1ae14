// A minimal adapter that drives the fake agent by messages.
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

/** durable: messages in both directions are in files. lossy: they may be lost with the connection. */
export type WireKind = 'durable' | 'lossy';

/** A message from the agent. */
export type AgentMessage =
  | NumberedReport
  /** The current state, for a new connection. */
  | { readonly open: OpenState }
  | { readonly request: string }
  | { readonly answerTo: string };

/** `question`: the agent's own id of the question, if this is one. */
interface NumberedReport {
  readonly report: HookInput;
  readonly nth: number;
  readonly question: string;
}

export interface OpenState {
  readonly isBusy: boolean;
  readonly questions: readonly string[];
  /** Its reports that still matter, oldest first. */
  readonly reports: readonly NumberedReport[];
}

/** A message to the agent. */
export type DaemonMessage =
  | Hello
  | { readonly prompt: string; readonly text: string; readonly steer: boolean }
  | { readonly answer: string; readonly allow: boolean }
  | { readonly interrupt: string }
  | { readonly error: string };

/** The first message of a connection. `conversation`: the one to continue; null: a new one. */
export interface Hello {
  readonly hello: true;
  readonly conversation: string | null;
  readonly isAdopted: boolean;
}

interface State {
  readonly isGreeted: boolean;
  readonly isBusy: boolean;
  readonly questions: readonly string[];
  readonly received: readonly string[];
  readonly sent: readonly string[];
  readonly isAdopted: boolean;
}

const EMPTY: State = { isGreeted: false, isBusy: false, questions: [], received: [], sent: [], isAdopted: false };

export function adapterOf(kind: WireKind): ServerDrive<State> {
  return {
    wire: kind === 'durable' ? { over: 'stdio' } : { over: 'websocket', socket: 'agent.sock' },
    empty: EMPTY,
    isCommand: () => false,
    verdict: () => 'crashed',
    hello: (_, { conversation, isAdopted }) => [message('hello', { hello: true, conversation, isAdopted })],
    receive: (state, incoming) => receive(kind, state, incoming),
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

function message(id: string, data: DaemonMessage): Outgoing {
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
  const data = (message.is === 'message' ? message.data : {}) as DaemonMessage;
  const isAdopted = state.isAdopted || ('hello' in data && data.isAdopted);
  return { ...state, isAdopted, sent: [...state.sent, id] };
}

/** On a lossy wire nobody knows what an earlier daemon sent to an adopted process. */
function proofOf(kind: WireKind, { sent, received, isAdopted }: State, intent: ServerIntent): Proof {
  if (intent.do === 'deliver' && received.includes(intent.token)) return 'done';
  const isSent = sent.includes(requestOf(intent).id);
  if (kind === 'durable') return isSent ? 'done' : 'not-done';
  return isSent || isAdopted ? 'unknown' : 'not-done';
}

function receive(
  kind: WireKind,
  state: State,
  incoming: Incoming,
): ReturnType<ServerDrive<State>['receive']> & { state: State } {
  const nothing = { state, reports: [], send: [] };
  if (incoming.is !== 'message') return nothing;
  const received = incoming.data as AgentMessage;
  if ('request' in received)
    return { ...nothing, send: [message(`error ${received.request}`, { error: received.request })] };
  // A report before the state of a new connection is part of that state, behind older ones.
  if ('report' in received && kind === 'lossy' && !state.isGreeted) return nothing;
  if ('report' in received) return { state: after(state, received), reports: [reportOf(received)], send: [] };
  if (!('open' in received)) return nothing;
  const { isBusy, questions, reports } = received.open;
  const updated = reports.reduce(after, state);
  return { state: { ...updated, isGreeted: true, isBusy, questions }, reports: reports.map(reportOf), send: [] };
}

function after(state: State, { report, question }: NumberedReport): State {
  switch (report.type) {
    case 'hook.prompted':
      return { ...state, isBusy: true, received: [...state.received, report.token ?? ''] };
    case 'hook.asked':
      return { ...state, questions: [...state.questions, question] };
    case 'hook.stopped':
      return { ...state, isBusy: false, questions: [] };
    default:
      return state;
  }
}

/** The id that the question about a call has when the fake agent asks by a hook. */
export function approvalOf(call: string | null): ApprovalId {
  return `${call?.slice(0, -2)}/a` as ApprovalId;
}

function reportOf({ report, nth, question }: NumberedReport): ServerReport {
  if (report.type !== 'hook.asked') return { key: `${report.type} ${nth}`, says: report };
  const { call, tool, subagent } = report;
  const asked = { confirms: false, call, tool, input: { call }, subagent, cwd: null };
  return { key: `asked ${question}`, says: { type: 'asked', question, call: asked } };
}
