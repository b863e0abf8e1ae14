import { randomBytes, randomUUID } from 'node:crypto';
import type { Fields } from './json.ts';
import { VERSION } from './places.ts';

/** The fields of every line that say where it was written. */
export interface Place {
  readonly id: string;
  readonly cwd: string;
  readonly entrypoint: string;
  readonly mode: string;
  readonly model: string;
}

/** When a line was written, in which prompt, and after which line. */
export interface Moment {
  readonly timestamp: string;
  readonly promptId: string | null;
  readonly parentUuid: string | null;
}

/** A block of an answer, as the API writes it. */
export type Block = Fields & { readonly type: string };

/** One message of the model: its blocks are written one line each. */
export interface Message {
  readonly id: string;
  readonly model: string;
  readonly stop: string | null;
}

/** The model name of messages that no model wrote. */
export const SYNTHETIC = '<synthetic>';

const BULK_BYTES = 100 * 1024;

/** A new id in the format of the API. */
export function apiId(kind: 'msg' | 'toolu' | 'req'): string {
  return `${kind}_scripted_${randomBytes(9).toString('hex')}`;
}

/** The line of a prompt. */
export function promptLine(place: Place, moment: Moment, text: string, more: Fields = {}): Fields {
  return {
    ...head(moment),
    promptId: moment.promptId,
    type: 'user',
    message: { role: 'user', content: text },
    ...more,
    permissionMode: place.mode,
    ...tail(place, moment),
  };
}

/** The line of a note to the model in place of a prompt, such as an interruption. */
export function noteLine(place: Place, moment: Moment, text: string, more: Fields = {}): Fields {
  const message = { role: 'user', content: [{ type: 'text', text }] };
  return { ...head(moment), promptId: moment.promptId, type: 'user', message, ...more, ...tail(place, moment) };
}

const USED = { input_tokens: 100, cache_read_input_tokens: 0, output_tokens: 20, service_tier: 'standard' };
/** What the agent wrote itself costs nothing. */
const UNUSED = { ...USED, input_tokens: 0, output_tokens: 0 };

/** The line of one block of an answer. */
export function answerLine(place: Place, moment: Moment, message: Message, block: Block): Fields {
  return {
    ...head(moment),
    message: {
      id: message.id,
      type: 'message',
      role: 'assistant',
      model: message.model,
      content: [block],
      stop_reason: message.stop,
      stop_sequence: null,
      usage: message.model === SYNTHETIC ? UNUSED : USED,
    },
    requestId: apiId('req'),
    type: 'assistant',
    ...(message.stop === null ? { isAbortedMidStream: true } : {}),
    ...tail(place, moment),
  };
}

/** The line of a failure of the API. */
export function failureLine(place: Place, moment: Moment, failure: { text: string; error: string; status: number }) {
  const line = answerLine(
    place,
    moment,
    { id: randomUUID(), model: SYNTHETIC, stop: 'stop_sequence' },
    { type: 'text', text: failure.text },
  );
  return { ...line, error: failure.error, isApiErrorMessage: true, apiErrorStatus: failure.status };
}

/** The line of a tool's result. */
export function resultLine(place: Place, moment: Moment, result: Fields, structured: unknown): Fields {
  return {
    ...head(moment),
    promptId: moment.promptId,
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', ...result }] },
    toolUseResult: structured,
    ...tail(place, moment),
  };
}

/** The line of a message to the model that is neither a prompt nor a result. */
export function attachmentLine(place: Place, moment: Moment, attachment: Fields): Fields {
  return { ...head(moment), attachment, type: 'attachment', ...tail(place, moment) };
}

/** A line of the system. */
export function systemLine(place: Place, moment: Moment, subtype: string, more: Fields): Fields {
  return { ...head(moment), type: 'system', subtype, ...more, level: 'info', ...tail(place, moment) };
}

/** The bookkeeping before a conversation's first answer: irrelevant types, one of them of 100 KB. */
export function bulkLines(id: string, timestamp: string): Fields[] {
  const system = [{ type: 'text', text: 'x'.repeat(BULK_BYTES) }];
  return [
    { type: 'atis-latch', atis: '', sessionId: id },
    { type: 'api-request-shape', sessionId: id, timestamp, version: VERSION, shape: { system } },
  ];
}

/** The bookkeeping with each request and at the end of a turn. */
export function noiseLines(id: string, last: string): Fields[] {
  return [
    { type: 'last-prompt', lastPrompt: last, sessionId: id },
    { type: 'scripted-noise', sessionId: id, uuid: randomUUID() },
  ];
}

/** The bookkeeping of a prompt that was queued or dequeued. */
export function queueLine(id: string, timestamp: string, operation: string, content?: string): Fields {
  return {
    type: 'queue-operation',
    operation,
    timestamp,
    sessionId: id,
    ...(content === undefined ? {} : { content }),
  };
}

function head(moment: Moment): Fields {
  return { parentUuid: moment.parentUuid, isSidechain: false };
}

function tail(place: Place, moment: Moment): Fields {
  return {
    uuid: randomUUID(),
    timestamp: moment.timestamp,
    userType: 'external',
    entrypoint: place.entrypoint,
    cwd: place.cwd,
    sessionId: place.id,
    version: VERSION,
    gitBranch: 'HEAD',
  };
}
