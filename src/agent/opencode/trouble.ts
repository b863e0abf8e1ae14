import type { Trouble } from '../../core/session.ts';
import { asFields, asNumber, asText, type Fields } from '../seam/json.ts';

/** The error name when a person or a program stopped the turn. */
const ABORTED = 'MessageAbortedError';
const TOO_LONG = /context.?(window|length)|prompt is too long|maximum context/i;
const BILLING = /insufficient.?(quota|balance|credit)|credit balance|billing|payment/i;
const LIMIT = /usage limit|(?<!rate )limit reached|hit your .*limit/i;
const PASSING = /overloaded|rate limit|too many requests|ECONN[A-Z]+|timed? ?out|fetch failed|unable to connect/i;

/** True when the turn was stopped and did not fail. */
export function isAborted(error: Fields | null): boolean {
  return error?.name === ABORTED;
}

/** The text of an error. */
export function errorText(error: Fields): string {
  return asText(asFields(error.data)?.message) ?? asText(error.message) ?? asText(error.name) ?? 'the turn failed';
}

/** The kind of trouble of an error, as far as it decides the remedy. */
export function troubleOf(error: Fields, nowMs: number): Trouble {
  const [name, text, data] = [asText(error.name) ?? '', errorText(error), asFields(error.data)];
  const status = asNumber(data?.statusCode);
  if (name === 'ContextOverflowError' || TOO_LONG.test(text)) return { kind: 'too-long' };
  if (name === 'ProviderAuthError' || status === 401 || status === 403) return { kind: 'login' };
  if (status === 402 || BILLING.test(text)) return { kind: 'billing' };
  const untilMs = retryAt(asFields(data?.responseHeaders), nowMs);
  if (LIMIT.test(text) || (status === 429 && untilMs !== null)) return { kind: 'limited', untilMs };
  if (status !== null) return { kind: status === 408 || status === 429 || status >= 500 ? 'overloaded' : 'other' };
  return { kind: data?.isRetryable === true || PASSING.test(text) ? 'overloaded' : 'other' };
}

/** When the model's API allows a retry; null: it does not say. */
function retryAt(headers: Fields | null, nowMs: number): number | null {
  const seconds = Number(asText(headers?.['retry-after']) ?? Number.NaN);
  return Number.isFinite(seconds) ? nowMs + seconds * 1_000 : null;
}
