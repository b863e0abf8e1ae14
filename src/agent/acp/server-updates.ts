import { asFields, asText, type Fields } from '../seam/json.ts';
import type { Received } from '../seam/server.ts';
import type { AcpDialect } from './dialect.ts';
import * as report from './server-reports.ts';
import { type AcpState, without } from './server-state.ts';

type Changed = Pick<Received<AcpState>, 'state' | 'reports'>;

/** Updates that are part of an answer to a prompt. */
const ANSWERS: readonly string[] = [
  ...['agent_message_chunk', 'agent_thought_chunk', 'user_message_chunk'],
  ...['tool_call', 'tool_call_update', 'plan'],
];

/**
 * Handles an update of the open conversation. Without a turn it is about the past: a conversation that is loaded is
 * told again.
 */
export function updated(state: AcpState, dialect: AcpDialect, params: Fields, run: number): Changed {
  const update = asFields(params.update) ?? {};
  const isOurs = state.session !== null && params.sessionId === state.session;
  if (!isOurs || state.turn === null) return { state, reports: [] };
  const kind = asText(update.sessionUpdate) ?? '';
  if (!ANSWERS.includes(kind)) return dialect.isBegun(update) ? begun(state, run) : { state, reports: [] };
  const before = begun(state, run);
  const after = answered(before.state, dialect, update, run);
  return { state: after.state, reports: [...before.reports, ...after.reports] };
}

/** The agent works on the prompt that was sent last. It is reported once. */
export function begun(state: AcpState, run: number): Changed {
  const { turn } = state;
  if (turn === null || turn.isBegun) return { state, reports: [] };
  return {
    state: { ...state, turn: { ...turn, isBegun: true } },
    reports: [report.promptedReport(run, turn.token)],
  };
}

function answered(state: AcpState, dialect: AcpDialect, update: Fields, run: number): Changed {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return { state: withText(state, asText(asFields(update.content)?.text) ?? ''), reports: [] };
    case 'tool_call':
      return called(state, dialect, update, run);
    case 'tool_call_update':
      return callUpdated(state, dialect, update, run);
    default:
      return { state, reports: [] };
  }
}

function withText(state: AcpState, text: string): AcpState {
  return state.turn === null ? state : { ...state, turn: { ...state.turn, reply: `${state.turn.reply}${text}` } };
}

/** The reply is the text after the last call. */
function called(state: AcpState, dialect: AcpDialect, call: Fields, run: number): Changed {
  const id = asText(call.toolCallId);
  if (id === null) return { state, reports: [] };
  const tool = dialect.tool(call);
  const turn = state.turn === null ? null : { ...state.turn, reply: '' };
  const begun = { ...state, turn, calls: { ...state.calls, [id]: tool } };
  const reports = [report.calledReport(run, id, tool)];
  // Some agents report a call only when it is over.
  const ended = callUpdated(begun, dialect, call, run);
  return { state: ended.state, reports: [...reports, ...ended.reports] };
}

function callUpdated(state: AcpState, dialect: AcpDialect, update: Fields, run: number): Changed {
  const id = asText(update.toolCallId);
  const { status } = update;
  if (id === null || (status !== 'completed' && status !== 'failed')) return { state, reports: [] };
  const { name } = (Object.hasOwn(state.calls, id) ? state.calls[id] : undefined) ?? dialect.tool(update);
  const error = status === 'failed' ? 'it failed' : null;
  return { state: { ...state, calls: without(state.calls, id) }, reports: [report.endedReport(run, id, name, error)] };
}
