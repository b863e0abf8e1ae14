import type { LimitWindow, TokenKinds } from '../../core/usage.ts';
import { asFields, asList, asNumber, asText, type Fields, type Line, readObject } from '../seam/json.ts';
import { kindsInAll } from '../seam/token-kinds.ts';
import type { ToolResult } from '../seam/turn.ts';
import { windowsOf } from './gauge.ts';
import type { Failure } from './trouble.ts';

/** What one line of a rollout means: the file in which Codex records a conversation. */
export type Entry =
  | { readonly is: 'begun'; readonly turn: string | null }
  | Given
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'thinking'; readonly text: string }
  | { readonly is: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly is: 'result'; readonly result: ToolResult }
  | { readonly is: 'ended'; readonly reply: string | null; readonly failure: Failure | null; readonly atMs: number }
  | { readonly is: 'aborted' }
  | Used
  | { readonly is: 'model'; readonly model: string | null }
  | { readonly is: 'limits'; readonly resetsAtMs: number | null; readonly windows: readonly LimitWindow[] }
  | { readonly is: 'compacted' }
  | { readonly is: 'unreadable' };

/** What one response of the model used up. */
export interface Used {
  readonly is: 'used';
  readonly message: string;
  readonly tokens: number;
  readonly byKind: TokenKinds | undefined;
  readonly atMs: number | null;
}

/** A text that the agent got. Each is recorded twice: as a message to the model, and as an item. */
export interface Given {
  readonly is: 'prompt';
  readonly text: string;
  readonly images: number;
  readonly isItem: boolean;
  /** The id that the sender of the prompt chose. */
  readonly given: string | null;
  readonly atMs: number | null;
}

/** Messages of Codex itself with the role of the user: its environment, and instructions. */
const OWN = /^\s*<(environment_context|user_instructions|turn_aborted|user_shell_command|INSTRUCTIONS|skill)\b/;

/** The entries of a line; none when it is irrelevant. */
export function entriesOf(line: Line): Entry[] {
  if (line.is === 'unreadable') return [{ is: 'unreadable' }];
  const { type, payload: body, timestamp } = line.fields;
  const payload = asFields(body) ?? {};
  const parsed = Date.parse(asText(timestamp) ?? '');
  const atMs = Number.isNaN(parsed) ? null : parsed;
  switch (type) {
    case 'event_msg':
      return eventEntries(payload, atMs);
    case 'response_item':
      return itemEntries(payload, atMs);
    case 'turn_context':
      return [{ is: 'model', model: asText(payload.model) }];
    case 'token_usage_record':
      return usedEntries(payload, atMs);
    case 'compacted':
      return [{ is: 'compacted' }];
    default:
      return [];
  }
}

function eventEntries(payload: Fields, atMs: number | null): Entry[] {
  switch (payload.type) {
    case 'task_started':
      return [{ is: 'begun', turn: asText(payload.turn_id) }];
    case 'task_complete': {
      const error = asFields(payload.error);
      const failure = error === null ? null : failureOf(error);
      return [{ is: 'ended', reply: asText(payload.last_agent_message), failure, atMs: atMs ?? 0 }];
    }
    case 'turn_aborted':
      return [{ is: 'aborted' }];
    case 'item_completed':
      return userEntries(asFields(payload.item) ?? {}, atMs);
    case 'token_count': {
      const limits = asFields(payload.rate_limits);
      return [{ is: 'limits', resetsAtMs: resetOf(limits), windows: windowsOf(limits) }];
    }
    default:
      return [];
  }
}

/** Parses an error. The class is a word, or an object whose only key is the class and whose value has details. */
export function failureOf(error: Fields): Failure {
  const info = error.codex_error_info ?? error.codexErrorInfo;
  const [[kind, about] = [null, null]] = Object.entries(asFields(info) ?? {});
  return {
    text: asText(error.message) ?? 'the turn failed',
    info: asText(info) ?? kind,
    httpStatus: asNumber(asFields(about)?.http_status_code) ?? asNumber(asFields(about)?.httpStatusCode),
    resetsAtMs: null,
  };
}

/** When the exhausted limit ends; if none is exhausted, the first one that is reported. */
export function resetOf(limits: Fields | null): number | null {
  const windows = [limits?.primary, limits?.secondary].map(asFields).filter((each) => each !== null);
  const isFull = (window: Fields): boolean => (asNumber(window.used_percent ?? window.usedPercent) ?? 0) >= 100;
  const full = windows.filter(isFull);
  const ends = (full.length > 0 ? full : windows.slice(0, 1)).flatMap(
    (window) => asNumber(window.resets_at ?? window.resetsAt) ?? [],
  );
  return ends.length === 0 ? null : Math.max(...ends) * 1_000;
}

function userEntries(item: Fields, atMs: number | null): Entry[] {
  if (item.type !== 'UserMessage') return [];
  const given = asText(item.client_id) ?? asText(item.clientId);
  return [{ is: 'prompt', ...contentOf(item), isItem: true, given, atMs }];
}

function itemEntries(payload: Fields, atMs: number | null): Entry[] {
  switch (payload.type) {
    case 'message':
      return messageEntries(payload, atMs);
    case 'reasoning': {
      const text = contentOf({ content: payload.summary }).text;
      return text === '' ? [] : [{ is: 'thinking', text }];
    }
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
      return [callOf(payload)];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ is: 'result', result: resultOf(payload) }];
    default:
      return [];
  }
}

function messageEntries(payload: Fields, atMs: number | null): Entry[] {
  const content = contentOf(payload);
  if (payload.role === 'assistant') return content.text === '' ? [] : [{ is: 'text', text: content.text }];
  if (payload.role !== 'user' || !isOfPerson(payload, content.text)) return [];
  return [{ is: 'prompt', ...content, isItem: false, given: null, atMs }];
}

/**
 * True for a prompt of a person. It is flagged as such; where nothing is flagged, messages of Codex are known by their
 * text.
 */
function isOfPerson({ internal_chat_message_metadata_passthrough: about }: Fields, text: string): boolean {
  const kinds = asList(asFields(about)?.content_item_kinds);
  return kinds.length === 0 ? !OWN.test(text) : kinds.some((kind) => asText(kind)?.startsWith('user.') === true);
}

function callOf(payload: Fields): Entry {
  const id = asText(payload.call_id) ?? asText(payload.id) ?? '';
  const name = asText(payload.name) ?? (payload.type === 'local_shell_call' ? 'local_shell' : 'unknown');
  const given = payload.arguments ?? payload.input ?? payload.action;
  return { is: 'call', id, name, input: (asText(given) === null ? null : readObject(String(given))) ?? given };
}

function resultOf(payload: Fields): ToolResult {
  const { output } = payload;
  const body = asFields(output);
  const content = contentOf({ content: body?.content ?? output });
  return {
    id: asText(payload.call_id) ?? '',
    text: asText(output) ?? asText(body?.content) ?? content.text,
    images: content.images,
    isError: body?.success === false,
  };
}

/** The texts of a message, and how many images it has. */
export function contentOf(message: Fields): { readonly text: string; readonly images: number } {
  const blocks = asList(message.content).map((block) => asFields(block) ?? {});
  const texts = blocks.filter((block, i) => !isTag(block, blocks[i + 1]) && !isTag(block, blocks[i - 1]));
  return {
    text: texts.flatMap((block) => asText(block.text) ?? []).join('\n'),
    images: blocks.filter(isImage).length,
  };
}

function isImage({ type }: Fields): boolean {
  return /image/i.test(asText(type) ?? '');
}

/** Codex names an image in a text before it, and ends it with one after it. */
function isTag({ text }: Fields, image: Fields | undefined): boolean {
  return image !== undefined && isImage(image) && /^<\/?image\b[^>]*>$/.test(asText(text) ?? '');
}

function usedEntries(payload: Fields, atMs: number | null): Entry[] {
  const usage = asFields(payload.usage);
  const tokens = asNumber(usage?.total_tokens);
  const message = asText(payload.response_id);
  if (tokens === null || message === null) return [];
  // Reasoning is a part of the output.
  const byKind = kindsInAll({
    input: usage?.input_tokens,
    output: usage?.output_tokens,
    cacheRead: usage?.cached_input_tokens,
    cacheWrite: usage?.cache_write_input_tokens,
  });
  return [{ is: 'used', message, tokens, byKind, atMs }];
}
