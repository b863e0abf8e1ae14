import type { TokenKinds } from '../../core/usage.ts';
import { asFields, asList, asNumber, asText, type Fields } from '../seam/json.ts';
import type { ToolResult } from '../seam/turn.ts';
import { asSent } from './prompt-text.ts';
import { kindsIn, tokensOf, weightOf } from './tokens.ts';

/** The meaning of one record of a transcript. Everything that is not part of the conversation is `noise`. */
export type Entry = Meaning & {
  /** The id of the sub-agent that this record belongs to; null in the conversation itself. */
  readonly sidechain: string | null;
};

/** The possible meanings of a record. */
export type Meaning =
  | Given
  | Reply
  | { readonly is: 'results'; readonly results: readonly ToolResult[] }
  | { readonly is: 'interrupted'; readonly text: string }
  | { readonly is: 'retrying'; readonly text: string }
  | { readonly is: 'deferred'; readonly call: string }
  | { readonly is: 'compacted' }
  /** usd: the cost of the conversation so far. context: what a hook added to the result of a tool. */
  | { readonly is: 'noise'; readonly type: string; readonly usd?: number; readonly context?: string }
  | { readonly is: 'unreadable' };

/**
 * `typed` begins a turn, `steering` joins a running one, `kept` waits in the queue, `nudge` is a message of Claude Code
 * itself to the model, `command` is for Claude Code alone, `shell` is a command that a person ran with `!`.
 */
export type PromptKind = 'typed' | 'steering' | 'kept' | 'nudge' | 'command' | 'shell';

/** A text that the agent got. */
export interface Given {
  readonly is: 'prompt';
  readonly text: string;
  readonly images: number;
  readonly how: PromptKind;
  /** Claude Code's own id of the turn; the hooks report it too. */
  readonly turnId: string | null;
  readonly atMs: number | null;
}

/** One record of the model's answer. A message is spread over several records with the same id. */
export interface Reply {
  readonly is: 'reply';
  readonly message: string | null;
  readonly model: string | null;
  readonly stopReason: string | null;
  readonly blocks: readonly Block[];
  /** Set when this is not an answer but an API error: its class, such as rate_limit. */
  readonly error: string | null;
  readonly atMs: number | null;
  readonly tokens: number;
  readonly byKind: TokenKinds | undefined;
  /** The tokens, each weighted by its relative price. */
  readonly weight: number;
}

/** A piece of an answer. */
export type Block =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'thinking'; readonly text: string }
  | { readonly is: 'call'; readonly id: string; readonly name: string; readonly input: unknown };

/** The model name of messages that Claude Code wrote itself. */
export const SYNTHETIC = '<synthetic>';

/** The text that replaces a prompt when a person or a signal stopped the turn. */
const INTERRUPTED = '[Request interrupted by user';

/** A record of what was sent to the model, not of the conversation. */
const REQUEST = 'api-request-blob';

/** Records that Claude Code makes for its own commands; the model is not asked. */
const COMMAND = /^\s*<(local-command-|command-name>|command-message>)/;
const SHELL = /^\s*<bash-(input|stdout|stderr)>/;

/** Parses one record. One line can hold two things: results of tools and the turnId of an interruption. */
export function readEntry(record: Fields): Entry[] {
  const sidechain = record.isSidechain === true ? (asText(record.agentId) ?? 'unknown') : null;
  return meaningsOf(record).map((meaning) => ({ ...meaning, sidechain }));
}

function meaningsOf(record: Fields): Meaning[] {
  switch (record.type) {
    case 'user':
      return userMeanings(record);
    case 'assistant':
      return [replyOf(record)];
    case 'system':
      return [systemMeaning(record)];
    case 'attachment':
      return [attachmentMeaning(asFields(record.attachment) ?? {}, record)];
    case 'queue-operation':
      return [queueMeaning(record)];
    case 'cost-state':
      return [{ is: 'noise', type: 'cost-state', usd: asNumber(record.totalCostUSD) ?? 0 }];
    default:
      // A message with an unknown type may be one whose type was damaged.
      if (record.type !== REQUEST && asFields(record.message)?.role !== undefined) return [{ is: 'unreadable' }];
      return [{ is: 'noise', type: asText(record.type) ?? 'unknown' }];
  }
}

/** A prompt that is typed while the agent works is recorded at once, and again when it is used. */
function queueMeaning(record: Fields): Meaning {
  const text = asText(record.content);
  if (record.operation !== 'enqueue' || text === null) return { is: 'noise', type: 'queue-operation' };
  return { is: 'prompt', text: asSent(text), images: 0, how: 'kept', ...turnIdOf(record) };
}

function userMeanings(record: Fields): Meaning[] {
  if (record.isCompactSummary === true) return [{ is: 'noise', type: 'user:compact-summary' }];
  const content = asFields(record.message)?.content;
  const blocks = asList(content).map((block) => asFields(block) ?? {});
  const results = blocks.filter((block) => block.type === 'tool_result').map(resultOf);
  const text = asText(content) ?? textOf(blocks);
  const images = imagesIn(blocks);
  const found: Meaning[] = results.length > 0 ? [{ is: 'results', results }] : [];
  if (text.startsWith(INTERRUPTED)) return [...found, { is: 'interrupted', text }];
  // Text beside results is a reminder for the model, not a prompt.
  if (results.length > 0) return found;
  if (text === '' && images === 0) return [{ is: 'noise', type: 'user' }];
  return [{ is: 'prompt', text: asSent(text), images, how: kindOf(record, text), ...turnIdOf(record) }];
}

function turnIdOf(record: Fields): Pick<Given, 'turnId' | 'atMs'> {
  const atMs = Date.parse(asText(record.timestamp) ?? '');
  return { turnId: asText(record.promptId), atMs: Number.isNaN(atMs) ? null : atMs };
}

function kindOf(record: Fields, text: string): PromptKind {
  if (COMMAND.test(text)) return 'command';
  if (SHELL.test(text)) return 'shell';
  return record.isMeta === true || text.startsWith('<task-notification>') ? 'nudge' : 'typed';
}

function resultOf(block: Fields): ToolResult {
  const parts = asList(block.content).map((part) => asFields(part) ?? {});
  return {
    id: asText(block.tool_use_id) ?? '',
    text: asText(block.content) ?? textOf(parts),
    images: imagesIn(parts),
    isError: block.is_error === true,
  };
}

function replyOf(record: Fields): Reply {
  const message = asFields(record.message) ?? {};
  const failed = record.isApiErrorMessage === true || record.is_api_error_message === true;
  const text = asText(message.content);
  return {
    is: 'reply',
    message: asText(message.id),
    model: asText(message.model),
    stopReason: record.isAbortedMidStream === true ? null : asText(message.stop_reason),
    blocks: text === null ? asList(message.content).flatMap(blockOf) : [{ is: 'text', text }],
    error: failed ? (asText(record.error) ?? 'unknown') : null,
    atMs: turnIdOf(record).atMs,
    tokens: tokensOf(asFields(message.usage)),
    byKind: kindsIn(asFields(message.usage)),
    weight: weightOf(asFields(message.usage)),
  };
}

function blockOf(value: unknown): Block[] {
  const block = asFields(value) ?? {};
  switch (block.type) {
    case 'text':
      return [{ is: 'text', text: asText(block.text) ?? '' }];
    case 'thinking':
      return [{ is: 'thinking', text: asText(block.thinking) ?? '' }];
    case 'redacted_thinking':
      return [{ is: 'thinking', text: '' }];
    case 'tool_use':
      return [{ is: 'call', id: asText(block.id) ?? '', name: asText(block.name) ?? 'unknown', input: block.input }];
    default:
      return [];
  }
}

function systemMeaning(record: Fields): Meaning {
  if (record.subtype === 'compact_boundary') return { is: 'compacted' };
  if (record.subtype !== 'api_error') return { is: 'noise', type: `system:${asText(record.subtype) ?? 'unknown'}` };
  const text = asText(asFields(record.error)?.formatted) ?? 'the API failed';
  const tries = `${asNumber(record.retryAttempt) ?? '?'} of ${asNumber(record.maxRetries) ?? '?'}`;
  return { is: 'retrying', text: `${text}, retry ${tries}` };
}

function attachmentMeaning(attachment: Fields, record: Fields): Meaning {
  const prompt = asText(attachment.prompt);
  if (attachment.type === 'queued_command' && prompt !== null) {
    const how = attachment.commandMode === 'prompt' || attachment.commandMode === undefined ? 'steering' : 'nudge';
    return { is: 'prompt', text: asSent(prompt), images: 0, how, ...turnIdOf(record) };
  }
  if (attachment.type === 'hook_deferred_tool') return { is: 'deferred', call: asText(attachment.toolUseID) ?? '' };
  const noise = { is: 'noise', type: `attachment:${asText(attachment.type) ?? 'unknown'}` } as const;
  return isToolContext(attachment) ? { ...noise, context: contextIn(attachment) } : noise;
}

function isToolContext({ type, hookEvent }: Fields): boolean {
  return type === 'hook_additional_context' && asText(hookEvent)?.startsWith('PostToolUse') === true;
}

function contextIn({ content }: Fields): string {
  return asList(content)
    .flatMap((text) => asText(text) ?? [])
    .join('\n');
}

function textOf(blocks: readonly Fields[]): string {
  return blocks
    .filter((block) => block.type === 'text')
    .map((block) => asText(block.text) ?? '')
    .join('\n');
}

function imagesIn(blocks: readonly Fields[]): number {
  return blocks.filter((block) => block.type === 'image').length;
}
