import { asFields, asList, asText, type Fields } from '../seam/json.ts';
import type { Received } from '../seam/server.ts';
import type { AcpDialect, AcpTool } from './dialect.ts';
import { calledReport, endedReport } from './server-reports.ts';
import { refusal } from './server-requests.ts';
import { type AcpState, type Question, without } from './server-state.ts';
import { begun } from './server-updates.ts';

/** A request of the agent. */
interface Request {
  readonly id: string | number;
  readonly method: string;
  readonly params: Fields;
}

/** Handles a request of the agent: one for permission becomes a question, any other is refused. */
export function asked(state: AcpState, dialect: AcpDialect, request: Request, run: number): Received<AcpState> {
  const { id, method, params } = request;
  const isOurs = method === 'session/request_permission' && params.sessionId === state.session;
  if (!isOurs || state.session === null) return { state, reports: [], send: [refusal(id, method)] };
  const shown = asFields(params.toolCall) ?? {};
  const call = asText(shown.toolCallId);
  const known = call !== null && Object.hasOwn(state.calls, call) ? state.calls[call] : undefined;
  const { name: tool, input } = known ?? dialect.tool(shown);
  // An agent may ask about one call more than once.
  const question = `${id}`;
  const asks = { confirms: false, call, tool, input, subagent: null, cwd: null };
  const before = begun(state, run);
  const isNew = call !== null && known === undefined;
  const options = questionOf(id, params.options);
  const told = isNew ? announced(before.state, call, { name: tool, input }) : before.state;
  const one = isNew ? { ...options, announces: call } : options;
  return {
    state: { ...told, questions: { ...state.questions, [question]: one } },
    reports: [
      ...before.reports,
      ...(isNew ? [calledReport(run, call, { name: tool, input })] : []),
      { key: `asked ${question}`, says: { type: 'asked', question, call: asks } },
    ],
    send: [],
  };
}

/** Some agents tell of a call first when they ask about it. The reply is the text after the last call. */
function announced(state: AcpState, call: string, tool: AcpTool): AcpState {
  const turn = state.turn === null ? null : { ...state.turn, reply: '' };
  return { ...state, turn, calls: { ...state.calls, [call]: tool } };
}

/** Ends the calls that were not allowed. An agent that has gone on will not report their end. */
export function refusedEnded(state: AcpState, run: number): Pick<Received<AcpState>, 'state' | 'reports'> {
  const { refused = [], ...rest } = state;
  if (refused.length === 0) return { state, reports: [] };
  const nameOf = (call: string): string => state.calls[call]?.name ?? 'unknown';
  return {
    state: { ...rest, calls: refused.reduce(without<AcpTool>, state.calls) },
    reports: refused.map((call) => endedReport(run, call, nameOf(call), 'it was not allowed')),
  };
}

/** Only options for this call alone are ever chosen. */
function questionOf(request: string | number, options: unknown): Question {
  const all = asList(options).map((each) => asFields(each) ?? {});
  const idOf = (kind: string): string | null => asText(all.find((each) => each.kind === kind)?.optionId);
  return { request, allow: idOf('allow_once'), reject: idOf('reject_once') };
}
