import type { Verdict } from '../../core/snapshot.ts';
import type { RunEnd } from '../seam/drive.ts';
import { asFields, asText, type Fields } from '../seam/json.ts';
import type { Piece } from '../seam/piece.ts';
import type { Incoming, Received, ReceivedAt, ServerDrive, ServerView } from '../seam/server.ts';
import type { AcpDialect } from './dialect.ts';
import { asked, refusedEnded } from './server-asks.ts';
import * as report from './server-reports.ts';
import {
  acpHello,
  acpProof,
  acpRequest,
  acpSent,
  INITIALIZE,
  MODE,
  modeRequest,
  OPEN,
  openRequest,
  PROMPT,
  PROTOCOL,
  TOLD,
  toldRequest,
} from './server-requests.ts';
import { type AcpState, NOTHING_SAID } from './server-state.ts';
import { begun, updated } from './server-updates.ts';

/** The Agent Client Protocol: JSON-RPC on standard input and output. */
export function acpServer(dialect: AcpDialect): ServerDrive<AcpState> {
  return {
    wire: { over: 'stdio' },
    // A second prompt would be a second turn.
    steers: false,
    isCommand: dialect.isCommand,
    verdict: acpVerdict,
    empty: NOTHING_SAID,
    hello: (_, plan) => acpHello(dialect, plan),
    receive: (state, message, at) => {
      const told = refusedEnded(state, at.run);
      const received = receive(dialect, told.state, message, at);
      return { ...received, reports: [...told.reports, ...received.reports] };
    },
    piece,
    sent: acpSent,
    request: acpRequest,
    proof: acpProof,
    view,
  };
}

/** Nobody asks it to end: it stays until its input does. */
function acpVerdict({ status }: RunEnd): Verdict {
  return status === 0 ? 'unknown' : 'crashed';
}

function receive(dialect: AcpDialect, state: AcpState, message: Incoming, { run }: ReceivedAt): Received<AcpState> {
  const data = message.is === 'message' ? asFields(message.data) : null;
  if (data === null) return { state, reports: [], send: [] };
  const { id, method } = data;
  const params = asFields(data.params) ?? {};
  const isNamed = typeof id === 'string' || typeof id === 'number';
  if (typeof method !== 'string')
    return isNamed ? answered(dialect, state, { id: `${id}`, data }, run) : nothing(state);
  if (isNamed) return asked(state, dialect, { id, method, params }, run);
  return method === 'session/update' ? { ...updated(state, dialect, params, run), send: [] } : nothing(state);
}

/** An agent sends what the model writes as it comes. A call separates two texts. */
function piece({ session, turn }: AcpState, message: Incoming): Piece | null {
  const data = message.is === 'message' ? asFields(message.data) : null;
  const params = data?.method === 'session/update' ? asFields(data.params) : null;
  const update = asFields(params?.update);
  if (update === null || turn === null || params?.sessionId !== session) return null;
  if (update.sessionUpdate === 'agent_message_chunk')
    return { text: asText(asFields(update.content)?.text) ?? '', of: asText(update.messageId) };
  return update.sessionUpdate === 'tool_call' ? { text: '', of: asText(update.toolCallId) } : null;
}

/** Handles an answer to a request of ours. One that we never made changes nothing. */
function answered(
  dialect: AcpDialect,
  state: AcpState,
  { id, data }: { readonly id: string; readonly data: Fields },
  run: number,
): Received<AcpState> {
  if (!state.sent.includes(id)) return nothing(state);
  const [result, error] = [asFields(data.result) ?? {}, asFields(data.error)];
  if (id.startsWith(PROMPT)) {
    const token = id.slice(PROMPT.length);
    const reply = state.turn?.token === token ? state.turn.reply : '';
    const failed = error === null ? (stopText(result.stopReason) ?? dialect.failure(reply)) : errorText(error);
    const isCancelled = result.stopReason === 'cancelled';
    const trouble = failed === null ? null : dialect.trouble(failed);
    return turnOver(state, { token, reply: failed ?? reply, trouble, isCancelled }, run);
  }
  if (id === TOLD) return nothing({ ...state, isReady: true });
  if (error !== null) return nothing({ ...state, trouble: state.isReady ? state.trouble : errorText(error) });
  switch (id) {
    case INITIALIZE:
      return initialized(state, result);
    case OPEN:
      return opened(dialect, state, result, run);
    case MODE:
      return nothing({ ...state, isReady: true });
    default:
      return nothing(state);
  }
}

/** The agent has said what it can do: its conversation is opened. */
function initialized(state: AcpState, result: Fields): Received<AcpState> {
  const { opening } = state;
  const can = asFields(result.agentCapabilities) ?? {};
  const canResume = asFields(asFields(can.sessionCapabilities)?.resume) !== null;
  if (opening === null) return nothing(state);
  if (result.protocolVersion !== PROTOCOL)
    return nothing({ ...state, trouble: `it speaks another version of the protocol: ${result.protocolVersion}` });
  if (opening.conversation !== null && can.loadSession !== true && !canResume)
    return nothing({ ...state, trouble: 'it cannot load a conversation that another process began' });
  const takesImages = asFields(can.promptCapabilities)?.image === true;
  return { state: { ...state, takesImages }, reports: [], send: [openRequest(opening, can.loadSession === true)] };
}

/** The id of a new conversation is known here for the first time: it is reported before any prompt is sent. */
function opened(dialect: AcpDialect, state: AcpState, result: Fields, run: number): Received<AcpState> {
  const { conversation = null, mode = null } = state.opening ?? {};
  const session = conversation ?? asText(result.sessionId);
  if (session === null) return nothing({ ...state, trouble: 'it names no conversation' });
  const isTelling = conversation !== null && dialect.tellsOn;
  const send = [...(isTelling ? [toldRequest()] : []), ...(mode === null ? [] : [modeRequest(session, mode)])];
  return {
    state: { ...state, session, isReady: send.length === 0 },
    reports: [report.openedReport(run, session)],
    send,
  };
}

/** The answer to a prompt ends its turn, with everything that was open in it. */
function turnOver(state: AcpState, over: report.TurnOver, run: number): Received<AcpState> {
  const before = begun(state, run);
  return {
    state: { ...before.state, turn: null, calls: {}, questions: {} },
    reports: [...before.reports, report.stoppedReport(run, over)],
    send: [],
  };
}

/** Why a turn stopped before its end; null: it did not. */
function stopText(reason: unknown): string | null {
  if (reason === 'end_turn' || reason === 'cancelled') return null;
  return `the agent stopped: ${asText(reason) ?? 'no reason given'}`;
}

/** What an error says. The message is often general, and the data has the reason. */
function errorText({ message, data }: Fields): string {
  const more = asText(data) ?? asText(asFields(data)?.details) ?? (data === undefined ? null : JSON.stringify(data));
  return [asText(message) ?? 'it reports an error', ...(more === null ? [] : [more])].join(': ');
}

function nothing(state: AcpState): Received<AcpState> {
  return { state, reports: [], send: [] };
}

/** Answered questions are open until the agent goes on; the supervisor knows what it has answered. */
function view({ isReady, turn, questions, trouble }: AcpState): ServerView {
  const is = !isReady ? (trouble === null ? 'starting' : 'idle') : turn === null ? 'idle' : 'busy';
  return { is, questions: Object.keys(questions), trouble };
}
