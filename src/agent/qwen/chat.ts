import type { TokenKinds } from '../../core/usage.ts';
import { withoutMentions } from '../seam/images.ts';
import { asFields, asList, asNumber, asText, type Fields, type Line } from '../seam/json.ts';
import { kindsInAll } from '../seam/token-kinds.ts';
import type { ToolResult } from '../seam/turn.ts';

/** The meaning of one record of a conversation of Qwen Code. What is not part of the conversation has none. */
export type Entry =
  | Given
  | Reply
  | { readonly is: 'results'; readonly results: readonly ToolResult[] }
  /** The model has answered a request to its end. The answer is recorded after that, unless it was cut off. */
  | { readonly is: 'responded' }
  /** A request to the model failed. Some failures are tried again. */
  | { readonly is: 'refused'; readonly text: string; readonly httpStatus: number | null; readonly atMs: number | null }
  | { readonly is: 'compacted' }
  | { readonly is: 'unreadable' };

/** A text that the agent got. */
export interface Given {
  readonly is: 'prompt';
  readonly id: string | null;
  readonly text: string;
  readonly images: number;
  /** `steering` joined a running turn, `nudge` is a message of Qwen Code itself to the model. */
  readonly how: 'typed' | 'steering' | 'nudge';
  readonly atMs: number | null;
}

/** One answer of the model. It is recorded when it is complete, or when the process is terminated. */
export interface Reply {
  readonly is: 'reply';
  readonly message: string;
  readonly model: string | null;
  readonly blocks: readonly Block[];
  readonly tokens: number;
  readonly byKind: TokenKinds | undefined;
  readonly atMs: number | null;
}

/** A piece of an answer. */
export type Block =
  | { readonly is: 'text' | 'thinking'; readonly text: string }
  | { readonly is: 'call'; readonly id: string; readonly name: string; readonly input: unknown };

/** The entries of one line. */
export function entriesOf(line: Line): Entry[] {
  if (line.is === 'unreadable') return [{ is: 'unreadable' }];
  const { fields } = line;
  // What a sub-agent did is in its own file, and in older versions beside the rest.
  if (fields.isSidechain === true || asText(fields.agentId) !== null) return [];
  switch (fields.type) {
    case 'user':
      return promptsOf(fields);
    case 'assistant':
      return [replyOf(fields)];
    case 'tool_result':
      return [{ is: 'results', results: partsOf(fields).flatMap(resultsOf) }];
    case 'system':
      return systemEntries(fields);
    default:
      // A message with an unknown type may be one whose type was damaged.
      return asFields(fields.message) === null ? [] : [{ is: 'unreadable' }];
  }
}

/** The text of an answer, without thoughts. */
export function replyText({ blocks }: Reply): string {
  return blocks.flatMap((block) => (block.is === 'text' ? [block.text] : [])).join('');
}

function promptsOf(record: Fields): Entry[] {
  const parts = partsOf(record);
  const [first = '', ...others] = parts.flatMap((part) => asText(part.text) ?? []);
  const own = withoutMentions(first);
  // What follows images is about them; their model may not see them.
  const text = own === first ? [first, ...others].join('\n') : own;
  const images = parts.filter((part) => asFields(part.inlineData) !== null).length;
  if (text === '' && images === 0) return [];
  return [{ is: 'prompt', id: asText(record.uuid), text, images, how: kindOf(record), atMs: atOf(record) }];
}

/** A record without a subtype is what somebody typed. */
function kindOf({ subtype }: Fields): Given['how'] {
  if (subtype === undefined || subtype === null) return 'typed';
  return subtype === 'mid_turn_user_message' ? 'steering' : 'nudge';
}

function replyOf(record: Fields): Reply {
  return {
    is: 'reply',
    message: asText(record.uuid) ?? '',
    model: asText(record.model),
    blocks: partsOf(record).flatMap(blockOf),
    ...countsOf(asFields(record.usageMetadata)),
    atMs: atOf(record),
  };
}

/** Everything that is not the prompt is output: thoughts may be counted in the candidates or beside them. */
function countsOf(usage: Fields | null): Pick<Reply, 'tokens' | 'byKind'> {
  const [all, input] = [asNumber(usage?.totalTokenCount), asNumber(usage?.promptTokenCount)];
  if (all === null || input === null) return { tokens: all ?? 0, byKind: undefined };
  const cacheRead = usage?.cachedContentTokenCount;
  return { tokens: all, byKind: kindsInAll({ input, output: all - input, cacheRead, cacheWrite: 0 }) };
}

function blockOf(part: Fields): Block[] {
  const call = asFields(part.functionCall);
  if (call !== null)
    return [{ is: 'call', id: asText(call.id) ?? '', name: asText(call.name) ?? 'unknown', input: call.args ?? null }];
  const text = asText(part.text);
  return text === null ? [] : [{ is: part.thought === true ? 'thinking' : 'text', text }];
}

function resultsOf(part: Fields): ToolResult[] {
  const answer = asFields(part.functionResponse);
  if (answer === null) return [];
  const response = asFields(answer.response) ?? {};
  const error = asText(response.error);
  const images = asList(answer.parts).length;
  return [
    { id: asText(answer.id) ?? '', text: error ?? asText(response.output) ?? '', images, isError: error !== null },
  ];
}

function systemEntries(record: Fields): Entry[] {
  if (record.subtype === 'chat_compression') return [{ is: 'compacted' }];
  const event = record.subtype === 'ui_telemetry' ? asFields(asFields(record.systemPayload)?.uiEvent) : null;
  if (event?.['event.name'] === 'qwen-code.api_response') return [{ is: 'responded' }];
  if (event?.['event.name'] !== 'qwen-code.api_error') return [];
  const text = asText(event.error_message) ?? 'the model cannot be reached';
  return [{ is: 'refused', text, httpStatus: asNumber(event.status_code), atMs: atOf(record) }];
}

function partsOf(record: Fields): Fields[] {
  return asList(asFields(record.message)?.parts).map((part) => asFields(part) ?? {});
}

function atOf(record: Fields): number | null {
  const atMs = Date.parse(asText(record.timestamp) ?? '');
  return Number.isNaN(atMs) ? null : atMs;
}
