import type { Trouble } from '../../core/session.ts';

/** What Qwen Code reports about a request that failed: the text of the model's API, and its HTTP status if known. */
export interface Failure {
  readonly text: string;
  readonly httpStatus: number | null;
}

const LIMIT = /quota.*(exhausted|exceeded)|(hour|weekly|monthly|usage|account) (allocated )?(quota|limit)/is;
const BILLING = /billing|insufficient.*(balance|credit|quota)|arrearage|overdue|out of credit/i;
const TOO_LONG =
  /context is too large|maximum context length|context.?(window|length).*exceed|input.*too long|range of input/i;
const LOGIN = /api.?key|unauthorized|authenticat|not logged in|no auth type|\/auth\b/i;
const PASSING = /timed? ?out|connection|fetch failed|network|ECONN|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|overloaded/i;

/** A failure in the words of a result: `[API Error: 401 Incorrect API key]`. */
export function failureIn(message: string): Failure {
  const text = /^\[API Error: (.*)\]\s*$/s.exec(message.trim())?.[1] ?? message.trim();
  const [, status] = /^(\d{3})\b/.exec(text) ?? [];
  return { text, httpStatus: status === undefined ? null : Number(status) };
}

/** Does Qwen Code ask again after this? */
export function isTriedAgain({ httpStatus, text }: Failure): boolean {
  if (isReset(text)) return false;
  return httpStatus === null || httpStatus === 408 || httpStatus === 409 || httpStatus === 429 || httpStatus >= 500;
}

/** The kind of trouble, as far as it decides the remedy. The status is more reliable than any word in the text. */
export function troubleOf({ text, httpStatus }: Failure, nowMs: number): Trouble {
  if (isReset(text)) return { kind: 'limited', untilMs: limitEnd(text, nowMs) };
  if (httpStatus === 402 || (BILLING.test(text) && httpStatus !== 400)) return { kind: 'billing' };
  if (httpStatus === 401 || httpStatus === 403) return { kind: 'login' };
  if (httpStatus === 429)
    return LIMIT.test(text) ? { kind: 'limited', untilMs: limitEnd(text, nowMs) } : { kind: 'overloaded' };
  if (TOO_LONG.test(text)) return { kind: 'too-long' };
  if (httpStatus !== null) return { kind: httpStatus === 408 || httpStatus >= 500 ? 'overloaded' : 'other' };
  if (LOGIN.test(text)) return { kind: 'login' };
  return { kind: PASSING.test(text) ? 'overloaded' : 'other' };
}

/** Qwen Code itself recognizes a limit by these words, and does not ask again. */
function isReset(text: string): boolean {
  return /quota/i.test(text) && /exhausted|exceeded/i.test(text) && /will reset|reset at/i.test(text);
}

/** `2026-11-20 10:00:00`, with or without a zone. */
const DATE = /(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?/;
const AFTER = /(?:reset|retry|try again) (?:in|after) (\d+) ?(s|m|h|d)/i;
const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The end of a limit, from its text; null: it does not say. A time without a zone is in UTC. */
export function limitEnd(text: string, nowMs: number): number | null {
  const [said, day, time, zone = 'Z'] = DATE.exec(text) ?? [];
  if (said !== undefined) {
    const atMs = Date.parse(`${day}T${time}${zone === 'UTC' ? 'Z' : zone}`);
    return Number.isNaN(atMs) ? null : atMs;
  }
  const [, count, unit = ''] = AFTER.exec(text) ?? [];
  return count === undefined ? null : nowMs + Number(count) * (UNITS_MS[unit.toLowerCase()] ?? 0);
}
