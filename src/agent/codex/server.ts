import { asFields, asText, type Fields } from '../seam/json.ts';
import type { Piece } from '../seam/piece.ts';
import {
  type Incoming,
  type Received,
  type ReceivedAt,
  type ServerDrive,
  type ServerPlace,
  type ServerReport,
  type ServerView,
  socketPath,
} from '../seam/server.ts';
import { asked, resolved } from './server-asks.ts';
import { noticed, receivedIn } from './server-notices.ts';
import { openedReport, promptedReport } from './server-reports.ts';
import { ADOPT, codexHello, codexProof, codexRequest, codexSent, idIn, OPEN, PROMPT } from './server-requests.ts';
import { type CodexState, NOTHING_SAID, withId } from './server-state.ts';
import { codexVerdict } from './verdict.ts';

/** Codex listens on a socket in the folder of the run. */
export const CODEX_WIRE = { over: 'websocket', socket: 'agent.sock' } as const;

type CodexDrive = ServerDrive<CodexState>;

/** `codex app-server`: JSON-RPC without its version field, on a socket that outlives its clients. */
export const codexServer: CodexDrive = {
  wire: CODEX_WIRE,
  isCommand: () => false,
  verdict: codexVerdict,
  empty: NOTHING_SAID,
  hello: codexHello,
  receive,
  piece,
  sent: codexSent,
  request: codexRequest,
  proof: codexProof,
  view,
  screen,
};

function receive(state: CodexState, message: Incoming, { run }: ReceivedAt): Received<CodexState> {
  const data = message.is === 'message' ? asFields(message.data) : null;
  if (data === null) return { state, reports: [], send: [] };
  const id = idIn(data);
  const { method } = data;
  if (typeof method !== 'string') return { ...answered(state, id, data, run), send: [] };
  const params = asFields(data.params) ?? {};
  if (id !== null) return asked(state, { id, method, params });
  if (method === 'serverRequest/resolved') return { state: resolved(state, params), reports: [], send: [] };
  return { ...noticed(state, { method, params }, run), send: [] };
}

/** The server sends what the model writes as it comes. */
function piece({ thread }: CodexState, message: Incoming): Piece | null {
  const data = message.is === 'message' ? asFields(message.data) : null;
  if (data?.method !== 'item/agentMessage/delta') return null;
  const { threadId, itemId, delta } = asFields(data.params) ?? {};
  return threadId === thread && typeof delta === 'string' ? { text: delta, of: asText(itemId) } : null;
}

type Changed = Pick<Received<CodexState>, 'state' | 'reports'>;

/** Handles an answer to a request of ours. One that we never made changes nothing. */
function answered(state: CodexState, id: string | number | null, data: Fields, run: number): Changed {
  const name = String(id);
  if (id === null || !state.sent.includes(name)) return { state, reports: [] };
  const error = asFields(data.error);
  if (error !== null) {
    const refused = withId(state.refused, name);
    const isOpening = name === OPEN || name === ADOPT;
    const trouble = isOpening ? String(error.message ?? 'it opened no conversation') : state.trouble;
    return { state: { ...state, refused, trouble }, reports: [] };
  }
  const result = asFields(data.result) ?? {};
  if (name === OPEN || name === ADOPT) return opened(state, asFields(result.thread) ?? {}, run);
  // A steered prompt becomes an item when the model is asked next, which may take long.
  const steered = name.startsWith(PROMPT) ? asText(result.turnId) : null;
  if (steered !== null) {
    const token = name.slice(PROMPT.length);
    const prompt = { item: name, turnId: steered, token, text: '' };
    return { state: { ...state, received: withId(state.received, token) }, reports: [promptedReport(run, prompt)] };
  }
  const turn = asFields(result.turn);
  if (turn !== null && turn.status === 'inProgress' && typeof turn.id === 'string')
    return { state: { ...state, turn: turn.id }, reports: [] };
  return { state, reports: [] };
}

/** The conversation was opened, with its earlier turns. */
function opened(state: CodexState, thread: Fields, run: number): Changed {
  const { id } = thread;
  if (typeof id !== 'string') return { state: { ...state, trouble: 'it names no conversation' }, reports: [] };
  const { received, turn } = receivedIn(thread);
  const known = received.reduce(withId, state.received);
  const reports: readonly ServerReport[] = [openedReport(run, id, thread.path)];
  return { state: { ...state, thread: id, received: known, turn: turn ?? state.turn, trouble: null }, reports };
}

function view({ thread, turn, questions, trouble }: CodexState): ServerView {
  const is = thread === null ? 'starting' : turn === null ? 'idle' : 'busy';
  return { is, questions: Object.keys(questions), trouble };
}

/** Codex's own screen as a second client. Both see every turn, and the first answer to a question counts. */
function screen({
  folder,
  conversation,
  isBegun,
  readOnly,
}: ServerPlace): ReturnType<NonNullable<CodexDrive['screen']>> {
  if (readOnly) return { refused: 'the screen of Codex cannot be opened to watch only' };
  // Codex stores a conversation with its first prompt, and its screen opens only what is stored.
  if (!isBegun) return { refused: 'Codex can show a conversation only after its first prompt' };
  const at = `unix://${socketPath(folder, CODEX_WIRE)}`;
  return { argv: ['codex', '--remote', at, 'resume', conversation], detach: '/quit' };
}
