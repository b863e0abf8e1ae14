import type { Trouble } from '../../core/session.ts';

/** The status of the model's API, with which pi begins the text of an error. */
const STATUS = /^(?:Error: )?([45]\d\d)\b/;
const TOO_LONG = /context.?(window|length)|maximum context|prompt is too long|too many (input )?tokens/i;
const BILLING = /insufficient.?(quota|balance|credit|funds)|credit balance|out of credit|billing|payment required/i;
const LOGIN = /unauthorized|authentication|invalid.{0,10}api.?key|no api key|token (has )?expired|log ?in again/i;
const LIMIT = /usage limit|(?<!rate )limit reached|hit your .*limit|quota exceeded/i;
const PASSING = /overloaded|rate.?limit|too many requests|ECONN|ENOTFOUND|timed? ?out|fetch failed|socket|connection/i;

/** The kind of trouble of an error text, as far as it decides the remedy. It is all that pi passes on. */
export function troubleOf(text: string, nowMs: number): Trouble {
  const status = Number(STATUS.exec(text)?.[1] ?? Number.NaN);
  if (TOO_LONG.test(text)) return { kind: 'too-long' };
  if (status === 401 || status === 403) return { kind: 'login' };
  if (status === 402 || BILLING.test(text)) return { kind: 'billing' };
  if (LIMIT.test(text)) return { kind: 'limited', untilMs: limitEnd(text, nowMs) };
  if (status >= 400) return { kind: status === 408 || status === 429 || status >= 500 ? 'overloaded' : 'other' };
  if (LOGIN.test(text)) return { kind: 'login' };
  return { kind: PASSING.test(text) ? 'overloaded' : 'other' };
}

const AGAIN = /(?:try again|retry|resets?) in ~?(\d+(?:\.\d+)?) ?(s|m|h|d)/i;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
/** An absolute time, as some APIs pass it on. */
const RESETS = /"?resets?_at"?\s*[:=]\s*"?(\d{10})\b/i;

/** The end of a limit, from its text; null: it does not say. */
function limitEnd(text: string, nowMs: number): number | null {
  const at = RESETS.exec(text)?.[1];
  if (at !== undefined) return Number(at) * 1_000;
  const [, number, unit] = AGAIN.exec(text) ?? [];
  if (number === undefined || unit === undefined) return null;
  return nowMs + Number(number) * (SECONDS[unit.toLowerCase()] ?? 1) * 1_000;
}
