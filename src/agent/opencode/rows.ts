import type { TokenKinds } from '../../core/usage.ts';
import { asFields, asNumber, asText, type Fields, type Line } from '../seam/json.ts';
import { kindsOf } from '../seam/token-kinds.ts';

/** A row of OpenCode's database, as far as it affects the state of a conversation. */
export type Row =
  | { readonly is: 'user'; readonly id: string; readonly atMs: number | null }
  | Reply
  | { readonly is: 'part'; readonly id: string; readonly message: string; readonly part: Part }
  | { readonly is: 'unreadable' };

/** A message of the model: each step of a turn is one. */
export interface Reply {
  readonly is: 'reply';
  readonly id: string;
  /** The message of the user that it answers. */
  readonly prompt: string;
  readonly atMs: number | null;
  readonly isWhole: boolean;
  /** Why it ended, such as `stop` or `tool-calls`; null: it has not. */
  readonly finish: string | null;
  readonly error: Fields | null;
  readonly model: string | null;
  readonly tokens: number;
  readonly byKind: TokenKinds | undefined;
  readonly usd: number;
}

/** A piece of a message. */
export type Part =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'thinking'; readonly text: string }
  | ToolPart
  | { readonly is: 'compacted' };

/** A tool call, and its result. */
export interface ToolPart {
  readonly is: 'tool';
  readonly call: string;
  readonly tool: string;
  readonly input: unknown;
  /** Null while it is pending or runs. */
  readonly result: { readonly text: string; readonly isError: boolean } | null;
}

/** The rows in a line; none: it is irrelevant. */
export function rowsOf(line: Line): Row[] {
  if (line.is === 'unreadable') return [{ is: 'unreadable' }];
  const { table, id: key, message_id } = line.fields;
  const [id, data] = [asText(key), asFields(line.fields.data)];
  if ((table !== 'message' && table !== 'part') || id === null) return [];
  if (data === null) return [{ is: 'unreadable' }];
  if (table === 'message') return messageRows(id, data);
  const [message, part] = [asText(message_id), partOf(data)];
  return message === null || part === null ? [] : [{ is: 'part', id, message, part }];
}

/** A message from a database row, an event of the server or an answer of it. */
export function messageRows(id: string, data: Fields): Row[] {
  const time = asFields(data.time);
  const atMs = asNumber(time?.created);
  if (data.role === 'user') return [{ is: 'user', id, atMs }];
  const prompt = asText(data.parentID);
  if (data.role !== 'assistant' || prompt === null) return [];
  const finish = asText(data.finish);
  const error = asFields(data.error);
  const isWhole = asNumber(time?.completed) !== null;
  const tokens = asFields(data.tokens);
  const counted = { tokens: tokensOf(tokens), byKind: kindsIn(tokens), usd: asNumber(data.cost) ?? 0 };
  return [{ is: 'reply', id, prompt, atMs, isWhole, finish, error, model: asText(data.modelID), ...counted }];
}

/** A part from any of these sources; null: it is irrelevant. */
export function partOf(data: Fields): Part | null {
  const text = asText(data.text);
  switch (data.type) {
    case 'text':
      // Text that OpenCode adds by itself is neither a prompt nor a reply.
      return text === null || data.synthetic === true || data.ignored === true ? null : { is: 'text', text };
    case 'reasoning':
      return text === null || text === '' ? null : { is: 'thinking', text };
    case 'tool':
      return toolOf(data);
    case 'compaction':
      return { is: 'compacted' };
    default:
      return null;
  }
}

function toolOf(data: Fields): ToolPart {
  const state = asFields(data.state) ?? {};
  const called = { call: asText(data.callID) ?? '', tool: asText(data.tool) ?? 'unknown', input: state.input ?? null };
  const result = resultOf(state);
  return {
    is: 'tool',
    ...called,
    result: result !== null && isInvalid(called.tool) ? { ...result, isError: true } : result,
  };
}

/** A call of a tool that does not exist, or with a wrong input, becomes a call of this one. It does nothing. */
export function isInvalid(tool: string | null): boolean {
  return tool === 'invalid';
}

function resultOf({ status, output, error }: Fields): ToolPart['result'] {
  if (status === 'completed') return { text: asText(output) ?? '', isError: false };
  return status === 'error' ? { text: asText(error) ?? '', isError: true } : null;
}

/** All tokens of a message, or of a step of the stream. */
export function tokensOf(tokens: Fields | null): number {
  const cache = asFields(tokens?.cache);
  const parts = [tokens?.input, tokens?.output, tokens?.reasoning, cache?.read, cache?.write];
  return asNumber(tokens?.total) ?? parts.reduce((sum: number, one) => sum + (asNumber(one) ?? 0), 0);
}

/** These tokens by kind. Reasoning is counted beside the output. */
function kindsIn(tokens: Fields | null): TokenKinds | undefined {
  const [output, cache] = [asNumber(tokens?.output), asFields(tokens?.cache)];
  if (output === null) return undefined;
  const written = output + (asNumber(tokens?.reasoning) ?? 0);
  return kindsOf({ input: tokens?.input, output: written, cacheRead: cache?.read, cacheWrite: cache?.write });
}
