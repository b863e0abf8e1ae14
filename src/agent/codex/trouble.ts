import type { Trouble } from '../../core/session.ts';

/** What Codex reports about a failed turn. */
export interface Failure {
  readonly text: string;
  /** Its own class, such as usage_limit_exceeded; the stream of `exec` has only a text. */
  readonly info: string | null;
  /** The HTTP status of the model's API, where the class has one. */
  readonly httpStatus: number | null;
  /** When the limit ends, if it was reported as a number. */
  readonly resetsAtMs: number | null;
}

/** The account is out of credit. Codex uses the same class for this as for a limit that ends by itself. */
const QUOTA = /quota exceeded|billing details/i;
const LIMIT = /hit your usage limit|usage limit reached/i;
const TOO_LONG = /out of room in the model.s context window|context.?(window|length).*exceed/i;
const LOGIN =
  /missing environment variable|\b(401 Unauthorized|403 Forbidden)\b|not logged in|sign in again|incorrect api key/i;
const PASSING =
  /at capacity|high demand|stream disconnected|rate limit|too many requests|\b(5\d\d|429)\b|timed? ?out|connection/i;

/** Classes that are sufficient by themselves. Others come with a status, or mean nothing. */
const CLASSES: Readonly<Record<string, Trouble['kind']>> = {
  context_window_exceeded: 'too-long',
  rate_limit_exceeded: 'overloaded',
  internal_server_error: 'overloaded',
  server_overloaded: 'overloaded',
  response_stream_disconnected: 'overloaded',
  response_stream_connection_failed: 'overloaded',
  response_too_many_failed_attempts: 'overloaded',
  unauthorized: 'login',
};

/** The kind of trouble, as far as it decides the remedy. */
export function troubleOf({ text, info, httpStatus, resetsAtMs }: Failure, nowMs: number): Trouble {
  if (QUOTA.test(text)) return { kind: 'billing' };
  if (info === 'usage_limit_exceeded' || LIMIT.test(text))
    return { kind: 'limited', untilMs: resetsAtMs ?? limitEnd(text, nowMs) };
  if (httpStatus === 401 || httpStatus === 403) return { kind: 'login' };
  const kind = info !== null && Object.hasOwn(CLASSES, info) ? CLASSES[info] : undefined;
  if (kind !== undefined && kind !== 'limited') return { kind };
  if (httpStatus !== null) return { kind: httpStatus === 429 || httpStatus >= 500 ? 'overloaded' : 'other' };
  if (TOO_LONG.test(text)) return { kind: 'too-long' };
  if (LOGIN.test(text)) return { kind: 'login' };
  // The text of a refused request is JSON, and may contain any word.
  return { kind: !text.startsWith('{') && PASSING.test(text) ? 'overloaded' : 'other' };
}

const DAY = /(?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th)?, (\d{4}) )?/;
const AGAIN = new RegExp(`try again at ${DAY.source}(\\d{1,2}):(\\d{2}) ([AP]M)`);
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** An end of a few minutes ago has just passed; it is not tomorrow's. */
const PAST_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * The end of a limit, from its text: `try again at 11:49 PM`, `at Nov 16th, 2026 12:18 AM`, in the host's local time.
 */
export function limitEnd(text: string, nowMs: number): number | null {
  const [said, month, day, year, hour = '0', minute = '0', half] = AGAIN.exec(text) ?? [];
  if (said === undefined) return null;
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0);
  const today = new Date(nowMs);
  if (month !== undefined)
    return new Date(Number(year), MONTHS.indexOf(month), Number(day), hours, Number(minute)).getTime();
  const [y, m, d] = [today.getFullYear(), today.getMonth(), today.getDate()];
  const atMs = new Date(y, m, d, hours, Number(minute)).getTime();
  return atMs > nowMs - PAST_MS ? atMs : new Date(atMs + DAY_MS).getTime();
}
