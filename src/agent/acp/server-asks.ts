import { asFields, asList, asText, type Fields } from '../seam/json.ts';
import type { Received } from '../seam/server.ts';
import type { AcpDialect } from './dialect.ts';
import { refusal } from './server-requests.ts';
import type { AcpState, Question } from './server-state.ts';
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
  return {
    state: { ...before.state, questions: { ...state.questions, [question]: questionOf(id, params.options) } },
    reports: [...before.reports, { key: `asked ${question}`, says: { type: 'asked', question, call: asks } }],
    send: [],
  };
}

/** Only options for this call alone are ever chosen. */
function questionOf(request: string | number, options: unknown): Question {
  const all = asList(options).map((each) => asFields(each) ?? {});
  const idOf = (kind: string): string | null => asText(all.find((each) => each.kind === kind)?.optionId);
  return { request, allow: idOf('allow_once'), reject: idOf('reject_once') };
}
