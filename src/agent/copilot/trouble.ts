import type { Trouble } from '../../core/session.ts';

/** What Copilot reports about a failed turn. */
export interface Failure {
  readonly text: string;
  /** Its own class: authentication, rate_limit, quota, context_limit, query and others. */
  readonly kind: string;
  /** The HTTP status of the model's API; null: it was not reached. */
  readonly status: number | null;
}

const TOO_LONG = /context.?(window|length|limit)|maximum context|prompt budget|prompt is too long|too many tokens/i;
const BILLING = /insufficient.?(quota|balance|credit|funds)|credit balance|billing|payment|out of .*credits/i;
const LIMIT = /usage limit|(?<!rate )limit reached|hit your .*limit|exceeded your .*(quota|requests|credits)/i;
const PASSING = /overloaded|rate.?limit|too many requests|timed? ?out|connect|network|socket|fetch failed/i;

/** The kind of trouble, as far as it decides the remedy. */
export function troubleOf({ text, kind, status }: Failure, nowMs: number): Trouble {
  if (kind === 'context_limit' || TOO_LONG.test(text)) return { kind: 'too-long' };
  if (kind === 'authentication' || kind === 'authorization' || status === 401 || status === 403)
    return { kind: 'login' };
  if (LIMIT.test(text)) return { kind: 'limited', untilMs: limitEnd(text, nowMs) };
  if (kind === 'quota') return { kind: 'limited', untilMs: limitEnd(text, nowMs) };
  if (status === 402 || BILLING.test(text)) return { kind: 'billing' };
  if (status !== null) return { kind: status === 408 || status === 429 || status >= 500 ? 'overloaded' : 'other' };
  return { kind: kind === 'rate_limit' || PASSING.test(text) ? 'overloaded' : 'other' };
}

const AGAIN = /(?:try again|retry|resets?) in ~?(\d+(?:\.\d+)?) ?(s|m|h|d)/i;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
/** An absolute time, as some APIs pass it on. */
const RESETS = /resets?(?:_| )at:? "?(\d{10})\b/i;

/** The end of a limit, from its text; null: it does not say. */
function limitEnd(text: string, nowMs: number): number | null {
  const at = RESETS.exec(text)?.[1];
  if (at !== undefined) return Number(at) * 1_000;
  const [, number, unit] = AGAIN.exec(text) ?? [];
  if (number === undefined || unit === undefined) return null;
  return nowMs + Number(number) * (SECONDS[unit.toLowerCase()] ?? 1) * 1_000;
}
