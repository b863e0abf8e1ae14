type Fields = Readonly<Record<string, unknown>>;

/** A JSON-RPC request. */
export interface Request {
  readonly id: unknown;
  readonly method: string;
  readonly params: Fields;
}

/** A JSON-RPC response. */
export type Result = { readonly result: Fields } | { readonly error: Fields };

/** How to handle a request. */
export type Answer =
  | { readonly is: 'result'; readonly result: Result }
  /** Run the command with this question; its output makes the result. */
  | { readonly is: 'ask'; readonly question: string; readonly resultOf: (said: string) => Result }
  /** Claude Code has cancelled this request. */
  | { readonly is: 'withdraw'; readonly request: unknown }
  | { readonly is: 'nothing' };

const UNKNOWN_METHOD = -32_601;
const UNCLEAR = 'Outlast gave no clear answer.';
const TOOL = { name: 'ask', description: 'Asks whether a tool may be used.', inputSchema: { type: 'object' } };

/** Parses one line; null when it is not a request. */
export function readRequest(line: string): Request | null {
  const { id, method, params } = fieldsOf(parsed(line));
  return typeof method === 'string' ? { id, method, params: fieldsOf(params) } : null;
}

/** Answers a request of the Model Context Protocol, as far as a server with one tool needs it. */
export function answerTo({ id, method, params }: Request): Answer {
  switch (method) {
    case 'initialize': {
      const serverInfo = { name: 'outlast', version: '1' };
      return result({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
    }
    case 'tools/list':
      return result({ tools: [TOOL] });
    case 'tools/call':
      return ask(fieldsOf(params.arguments));
    case 'ping':
      return result({});
    case 'notifications/cancelled':
      return { is: 'withdraw', request: params.requestId };
    default:
      if (id === undefined) return { is: 'nothing' };
      return { is: 'result', result: { error: { code: UNKNOWN_METHOD, message: `unknown method: ${method}` } } };
  }
}

/** Builds the question in the format of a later version's hook. */
function ask({ tool_name, input, tool_use_id }: Fields): Answer {
  const question = { hook_event_name: 'PermissionRequest', tool_name, tool_input: input, tool_use_id };
  return {
    is: 'ask',
    question: JSON.stringify(question),
    resultOf: (said) => {
      const text = JSON.stringify(decisionOf(said, input));
      return { result: { content: [{ type: 'text', text }] } };
    },
  };
}

/** Allows only an explicit yes, and only the input that was asked about. */
function decisionOf(said: string, input: unknown): Fields {
  const { behavior, message } = fieldsOf(fieldsOf(fieldsOf(parsed(said)).hookSpecificOutput).decision);
  if (behavior === 'allow') return { behavior, updatedInput: input };
  return { behavior: 'deny', message: typeof message === 'string' && message !== '' ? message : UNCLEAR };
}

function result(fields: Fields): Answer {
  return { is: 'result', result: { result: fields } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
