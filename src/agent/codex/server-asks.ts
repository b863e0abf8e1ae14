import { asFields, asText, type Fields } from '../seam/json.ts';
import type { Received } from '../seam/server.ts';
import { unwrapped } from './command.ts';
import { refusal } from './server-requests.ts';
import { type CodexState, type OpenItem, type Question, without } from './server-state.ts';

/** A request of the server. */
interface Request {
  readonly id: string | number;
  readonly method: string;
  readonly params: Fields;
}

/** The call that a request is about. */
interface About extends Pick<OpenItem, 'name' | 'input'> {
  /** The name of the question, and the id of the call. */
  readonly question: string;
  readonly call: string | null;
  readonly kind: Question['kind'];
}

/** Handles a request of the server: a known one becomes a question, any other is refused. */
export function asked(state: CodexState, request: Request): Received<CodexState> {
  const { id, method, params } = request;
  const about = aboutOf(state, request);
  if (about === null) return { state, reports: [], send: [refusal(id, method)] };
  const { question, call, kind, name: tool, input } = about;
  const thread = asText(params.threadId);
  const subagent = thread === state.thread ? null : thread;
  const asks = { confirms: false, call, tool, input, subagent, cwd: asText(params.cwd) };
  return {
    state: { ...state, questions: { ...state.questions, [question]: { request: id, kind, thread } } },
    reports: [{ key: `asked ${question}`, says: { type: 'asked', question, call: asks } }],
    send: [],
  };
}

function aboutOf(state: CodexState, { id, method, params }: Request): About | null {
  const item = asText(params.itemId);
  const own = { question: item ?? `request ${id}`, call: item, kind: 'approval' } as const;
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return { ...own, name: 'shell', input: { command: unwrapped(asText(params.command) ?? '') } };
    case 'item/fileChange/requestApproval':
      // The changes were reported when the call began.
      return { ...own, name: 'apply_patch', input: callOf(state, item)?.input ?? { changes: [] } };
    case 'mcpServer/elicitation/request':
      return elicited(state, id, params);
    default:
      return null;
  }
}

/** The call of an elicitation. It has no id here: it is the running call of this MCP server. */
function elicited({ calls }: CodexState, id: string | number, params: Fields): About | null {
  const meta = asFields(params._meta);
  if (meta?.codex_approval_kind !== 'mcp_tool_call') return null;
  const server = `mcp__${asText(params.serverName) ?? ''}__`;
  const made = Object.entries(calls).filter(
    ([, { name, thread }]) => name.startsWith(server) && thread === params.threadId,
  );
  const [call = null, one] = (made.length === 1 ? made[0] : undefined) ?? [];
  const name = one?.name ?? `${server}unknown`;
  return { question: call ?? `request ${id}`, call, kind: 'elicitation', name, input: meta.tool_params ?? null };
}

function callOf({ calls }: CodexState, item: string | null): OpenItem | undefined {
  return item !== null && Object.hasOwn(calls, item) ? calls[item] : undefined;
}

/** The server reports that a question was answered or withdrawn. */
export function resolved(state: CodexState, { requestId }: Fields): CodexState {
  const [question] = Object.entries(state.questions).find(([, { request }]) => request === requestId) ?? [];
  return question === undefined ? state : { ...state, questions: without(state.questions, question) };
}
