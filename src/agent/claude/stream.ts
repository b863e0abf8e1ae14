import { sumOfKinds, type TokenKinds } from '../../core/usage.ts';
import { asFields, asNumber, asText, type Fields, readJsonLines } from '../seam/json.ts';
import { type LineReader, readWhole } from '../seam/lines.ts';
import { kindsIn, priceOf, tokensOf } from './tokens.ts';

/** What the output of a headless run says. The run ends with its process, not with a line in the output. */
export interface StreamRead {
  readonly outcome: 'complete' | 'failed' | 'limited' | 'interrupted' | 'deferred' | 'unfinished';
  /** A sentence for display. */
  readonly why: string;
  /** The text of the last result: the reply, or the error message. */
  readonly reply: string | null;
  readonly conversation: string | null;
  readonly model: string | null;
  readonly version: string | null;
  /** Several are normal: the end of a background task starts another turn. */
  readonly results: readonly StreamResult[];
  /** The last retry, if nothing came after it: the run waits for the API. */
  readonly retrying: Retry | null;
  readonly limit: Limit | null;
  /** The class of the last API error, such as rate_limit or authentication_failed. */
  readonly error: string | null;
  readonly skipped: number;
  /** The usage that the run reported. */
  readonly used: StreamUsed;
}

/** Tokens, dollars, and the price of one input token by model. */
export interface StreamUsed {
  readonly tokens: number;
  readonly byKind?: TokenKinds | undefined;
  readonly usd: number | null;
  readonly prices?: Readonly<Record<string, number>>;
}

/** One `result` line. Its subtype says success even when the API failed. */
export interface StreamResult {
  readonly isError: boolean;
  readonly subtype: string | null;
  /** Why the turn ended: completed, api_error, prompt_too_long, tool_deferred, aborted_streaming and others. */
  readonly reason: string | null;
  readonly httpStatus: number | null;
  readonly text: string | null;
}

/** A retry that Claude Code announced. */
export interface Retry {
  readonly number: number | null;
  readonly numberMax: number | null;
  readonly delayMs: number | null;
  readonly error: string;
}

/** What Claude Code reported about a usage limit. */
export interface Limit {
  readonly status: string;
  readonly type: string | null;
  readonly resetsAtMs: number | null;
}

const DEFERRED = 'tool_deferred';

type Judged = Pick<StreamRead, 'outcome' | 'why'>;

/** The state of the reader: the last line of each relevant kind, and sums. */
export interface StreamKnown {
  readonly skipped: number;
  readonly init: Fields | null;
  readonly conversation: string | null;
  readonly results: readonly StreamResult[];
  readonly used: StreamUsed;
  /** The error class of the model's last message. */
  readonly error: string | null;
  readonly limit: Limit | null;
  readonly retrying: Retry | null;
  /** A turn began after the last result. */
  readonly isAgain: boolean;
}

/** Reads the stream-json output of a headless run. */
export const streamReader: LineReader<StreamKnown, StreamRead> = {
  empty: {
    skipped: 0,
    init: null,
    conversation: null,
    results: [],
    used: { tokens: 0, usd: null },
    error: null,
    limit: null,
    retrying: null,
    isAgain: false,
  },
  read: (known, text) => {
    const { lines } = readJsonLines(text);
    return lines.reduce((all, line) => (line.is === 'object' ? after(all, line.fields) : unread(all)), known);
  },
  view: (known) => {
    const { init, results, error } = known;
    return {
      ...judge(known),
      reply: results.at(-1)?.text ?? null,
      conversation: known.conversation,
      model: asText(init?.model),
      version: asText(init?.claude_code_version),
      results,
      retrying: known.retrying,
      limit: known.limit,
      error,
      skipped: known.skipped,
      used: known.used,
    };
  },
};

/** Reads the stream-json output of a headless run, whole or cut off. */
export function readStream(text: string): StreamRead {
  const read = readWhole(streamReader, text);
  return { ...read, skipped: read.skipped + (text === '' || text.endsWith('\n') ? 0 : 1) };
}

function unread(known: StreamKnown): StreamKnown {
  return { ...known, skipped: known.skipped + 1 };
}

function after(known: StreamKnown, line: Fields): StreamKnown {
  // The stream may contain messages of sub-agents as well.
  if (typeof line.parent_tool_use_id === 'string') return known;
  const conversation = asText(line.session_id) ?? known.conversation;
  if (line.type === 'rate_limit_event') return { ...known, conversation, limit: limitOf(line) };
  const next = { ...known, conversation, retrying: retryOf(line) };
  if (line.type === 'result') {
    const results = [...known.results, resultOf(line)];
    return { ...next, results, used: usedAfter(known.used, line), isAgain: false };
  }
  if (line.type === 'assistant') return { ...next, error: asText(line.error), isAgain: true };
  return isSystem(line, 'init') ? { ...next, init: line, isAgain: true } : next;
}

/** The cost in each result is the total of the process; its tokens are its own. */
function usedAfter(before: StreamUsed, line: Fields): StreamUsed {
  const prices = Object.entries(asFields(line.modelUsage) ?? {}).flatMap(([model, sum]) => {
    const price = priceOf(asFields(sum));
    return price === null ? [] : [[model, price] as const];
  });
  const tokens = before.tokens + tokensOf(asFields(line.usage));
  const usd = asNumber(line.total_cost_usd);
  const byKind = sumOfKinds([before.byKind, kindsIn(asFields(line.usage))]);
  return { tokens, byKind, usd, ...(prices.length > 0 && { prices: Object.fromEntries(prices) }) };
}

function judge({ results, isAgain, error }: StreamKnown): Judged {
  const last = results.at(-1);
  if (last === undefined) return { outcome: 'unfinished', why: 'the output has no result' };
  if (isAgain) return { outcome: 'unfinished', why: 'another turn began after the last result' };
  const why = last.text ?? last.reason ?? last.subtype ?? 'no reason given';
  if (last.reason?.startsWith('aborted') === true) return { outcome: 'interrupted', why };
  if (last.reason === DEFERRED) return { outcome: 'deferred', why: 'a tool call waits for a decision' };
  if (last.isError) return { outcome: error === 'rate_limit' ? 'limited' : 'failed', why };
  // Older versions give no reason; then only the subtype is left.
  const isOver = last.reason === 'completed' || (last.reason === null && last.subtype === 'success');
  return isOver
    ? { outcome: 'complete', why: 'the turn completed' }
    : { outcome: 'failed', why: `the turn ended with ${last.reason ?? last.subtype ?? 'no reason'}` };
}

function resultOf(line: Fields): StreamResult {
  return {
    // A result without an explicit success is an error.
    isError: line.is_error !== false,
    subtype: asText(line.subtype),
    // A call that is deferred a second time has only this field.
    reason: asText(line.terminal_reason) ?? (line.stop_reason === DEFERRED ? DEFERRED : null),
    httpStatus: asNumber(line.api_error_status),
    text: asText(line.result),
  };
}

function retryOf(line: Fields): Retry | null {
  if (!isSystem(line, 'api_retry')) return null;
  return {
    number: asNumber(line.attempt),
    numberMax: asNumber(line.max_retries),
    delayMs: asNumber(line.retry_delay_ms),
    error: asText(line.error) ?? 'unknown',
  };
}

function limitOf(line: Fields): Limit | null {
  const info = asFields(line.rate_limit_info);
  if (info === null) return null;
  const resetsAt = asNumber(info.resetsAt);
  return {
    status: asText(info.status) ?? 'unknown',
    type: asText(info.rateLimitType),
    resetsAtMs: resetsAt === null ? null : resetsAt * 1000,
  };
}

function isSystem(line: Fields, subtype: string): boolean {
  return line.type === 'system' && line.subtype === subtype;
}
