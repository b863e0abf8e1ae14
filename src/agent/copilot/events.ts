import type { TokenKinds } from '../../core/usage.ts';
import { asFields, asList, asNumber, asText, type Fields, type Line } from '../seam/json.ts';
import { kindsOf } from '../seam/token-kinds.ts';
import type { ToolResult } from '../seam/turn.ts';
import type { Failure } from './trouble.ts';

/** What one event of Copilot means. Its output and the file of a conversation have the same events. */
export type Event =
  | { readonly is: 'begun'; readonly cwd: string | null; readonly model: string | null; readonly atMs: number | null }
  | { readonly is: 'prompt'; readonly text: string; readonly images: number; readonly atMs: number | null }
  /** The model is asked: the turn goes on. */
  | { readonly is: 'asked' }
  | { readonly is: 'reply'; readonly text: string; readonly thinking: string; readonly calls: readonly CallEvent[] }
  | ({ readonly is: 'started'; readonly atMs: number | null } & CallEvent)
  | Ended
  | { readonly is: 'failed'; readonly failure: Failure; readonly atMs: number | null }
  | { readonly is: 'aborted' }
  | Used
  | { readonly is: 'compacted' }
  | { readonly is: 'unreadable' };

export interface CallEvent {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** The sub-agent that calls; null for the agent itself. */
  readonly subagent: string | null;
}

/** The end of a call. */
export interface Ended {
  readonly is: 'ended';
  readonly result: ToolResult;
  readonly tool: string | null;
  /** It was done. A command that failed was done too, unlike a call that was denied or that cannot be made. */
  readonly isMade: boolean;
  readonly atMs: number | null;
}

/** What one request to the model used up. */
export interface Used {
  readonly is: 'used';
  readonly message: string;
  readonly model: string | null;
  readonly tokens: number;
  readonly byKind: TokenKinds | undefined;
  readonly atMs: number | null;
}

/** The events of a line; none when it is irrelevant. */
export function eventsOf(line: Line): Event[] {
  if (line.is === 'unreadable') return [{ is: 'unreadable' }];
  const { type, data: body, id, timestamp } = line.fields;
  const data = asFields(body) ?? {};
  const parsed = Date.parse(asText(timestamp) ?? '');
  const atMs = Number.isNaN(parsed) ? null : parsed;
  switch (type) {
    case 'session.start':
    case 'session.resume': {
      const cwd = asText(asFields(data.context)?.cwd);
      return [{ is: 'begun', cwd, model: asText(data.selectedModel), atMs }];
    }
    case 'user.message':
      // Messages of the agent to itself have a source.
      if ((asText(data.source) ?? 'user') !== 'user') return [];
      return [{ is: 'prompt', text: asText(data.content) ?? '', images: asList(data.attachments).length, atMs }];
    case 'assistant.turn_start':
      return [{ is: 'asked' }];
    case 'assistant.message':
      return replyEvents(data);
    case 'tool.execution_start':
      return [{ is: 'started', ...callOf(data), atMs }];
    case 'tool.execution_complete':
      return [endedOf(data, atMs)];
    case 'session.error':
      return [{ is: 'failed', failure: failureOf(data), atMs }];
    case 'abort':
      return [{ is: 'aborted' }];
    case 'session.usage_record':
      return usedEvents(data, asText(id), atMs);
    case 'session.compaction_complete':
      return [{ is: 'compacted' }];
    default:
      return [];
  }
}

function replyEvents(data: Fields): Event[] {
  // What a sub-agent says is not said by the agent.
  if (parentOf(data) !== null) return [];
  const calls = asList(data.toolRequests).map((each) => callOf(asFields(each) ?? {}));
  return [{ is: 'reply', text: asText(data.content) ?? '', thinking: asText(data.reasoningText) ?? '', calls }];
}

function callOf(data: Fields): CallEvent {
  const name = asText(data.toolName) ?? asText(data.name) ?? 'unknown';
  return { id: asText(data.toolCallId) ?? '', name, input: data.arguments ?? null, subagent: parentOf(data) };
}

function parentOf(data: Fields): string | null {
  return asText(data.parentToolCallId);
}

function endedOf(data: Fields, atMs: number | null): Event {
  const [result, error] = [asFields(data.result), asFields(data.error)];
  const isError = data.success !== true;
  const text = asText(result?.content) ?? asText(error?.message) ?? '';
  const id = asText(data.toolCallId) ?? '';
  const isMade = !isError || asFields(data.shellExecution) !== null;
  return { is: 'ended', result: { id, text, images: 0, isError }, tool: asText(data.toolName), isMade, atMs };
}

function failureOf(data: Fields): Failure {
  return {
    text: asText(data.message) ?? 'the turn failed',
    kind: asText(data.errorType) ?? 'unknown',
    status: asNumber(data.statusCode),
  };
}

function usedEvents(data: Fields, message: string | null, atMs: number | null): Event[] {
  const usage = asFields(data.usage) ?? {};
  const counts = [usage.inputTokens, usage.outputTokens, usage.cacheWriteTokens];
  const tokens = counts.reduce((sum: number, each) => sum + (asNumber(each) ?? 0), 0);
  if (message === null || tokens === 0) return [];
  // What was read from the cache is a part of the input, and what was written to it is not.
  const { inputTokens, outputTokens: output, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite } = usage;
  const input = (asNumber(inputTokens) ?? 0) - (asNumber(cacheRead) ?? 0);
  const byKind = kindsOf({ input, output, cacheRead, cacheWrite });
  return [{ is: 'used', message, model: asText(usage.model), tokens, byKind, atMs }];
}
