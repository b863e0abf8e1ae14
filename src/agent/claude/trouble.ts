import type { Trouble } from '../../core/session.ts';

/** What Claude Code reports about a failed turn. */
export interface Failure {
  /** Its own class, such as rate_limit. */
  readonly error: string | null;
  readonly text: string;
  /** When the limit ends, if it was reported as a number. */
  readonly resetsAtMs?: number | null;
}

const TOO_LONG = /prompt is too long|request too large|context (window|length).*exceed/i;
/** A conversation with a tool call and no result is refused every time: the text of the API, and Claude Code's own. */
const POISONED = /tool_use.*without.*tool_result|tool_use_id.*not found|unexpected `?tool_use_id/i;
const POISONED_TOO = /tool use concurrency|orphaned tool_result/i;
const LOGIN = /\/login|not logged in|invalid api key|oauth token (has )?expired|authentication/i;
const BILLING = /credit balance|billing|payment/i;
const LIMIT = /(usage|weekly|5-hour|hour) limit|limit reached|hit your .*limit/i;

/** The kind of trouble, as far as it decides the remedy. */
export function troubleOf({ error, text, resetsAtMs = null }: Failure, nowMs: number): Trouble {
  if (error === 'rate_limit' || LIMIT.test(text)) {
    const untilMs = resetsAtMs ?? limitEnd(text, nowMs);
    // Unless the text names a limit of the account, there were only too many requests at once.
    return untilMs === null && !LIMIT.test(text) ? { kind: 'overloaded' } : { kind: 'limited', untilMs };
  }
  if (error === 'authentication_failed' || LOGIN.test(text)) return { kind: 'login' };
  if (error === 'billing_error' || BILLING.test(text)) return { kind: 'billing' };
  if (TOO_LONG.test(text)) return { kind: 'too-long' };
  if (POISONED.test(text) || POISONED_TOO.test(text)) return { kind: 'poisoned' };
  if (error === 'server_error' || error === 'overloaded' || isPassing(text)) return { kind: 'overloaded' };
  return { kind: 'other' };
}

const PASSING =
  /\b(5\d\d|429)\b|overloaded|connection (error|refused|reset|dropped)|unable to connect|timed? ?out|fetch failed/i;
const NO_NETWORK = /\b(ECONN[A-Z]+|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|EPIPE)\b/;

function isPassing(text: string): boolean {
  // The text of a refused request may contain any number and any word.
  const status = /API Error: (\d{3})\b/.exec(text)?.[1];
  if (status !== undefined) return /^(5|408|429)/.test(status);
  return PASSING.test(text) || NO_NETWORK.test(text);
}

/**
 * The end of a limit, parsed from its text: `resets 10:13am (UTC)`, `resets Nov 18, 7:13am (Europe/Berlin)`,
 * `resets Jan 2, 2027, 7am (UTC)`, or the old `limit reached|1766502000`. Null: there is none, or the form is unknown.
 */
export function limitEnd(text: string, nowMs: number): number | null {
  const stamp = /limit reached\|(\d{10})\b/.exec(text)?.[1];
  if (stamp !== undefined) return Number(stamp) * 1_000;
  const said = RESETS.exec(text);
  if (said === null) return null;
  const [, month, day, year, hour = '0', minute = '0', half, zone = 'UTC'] = said;
  const zoned = zoneOf(zone);
  if (zoned === null) return null;
  const today = partsIn(zoned, nowMs);
  const wanted = {
    year: year === undefined ? today.year : Number(year),
    month: month === undefined ? today.month : MONTHS.indexOf(month.toLowerCase()) + 1,
    day: day === undefined ? today.day : Number(day),
    hour: (Number(hour) % (half === undefined ? 24 : 12)) + (half?.toLowerCase() === 'pm' ? 12 : 0),
    minute: Number(minute),
  };
  const atMs = wallMs(wanted, zoned);
  if (year !== undefined) return atMs;
  // A day without a year is the nearest one; a time without a day is tomorrow if it has passed today.
  if (month !== undefined) return nearest(wanted, zoned, nowMs);
  return atMs > nowMs - PAST_MS ? atMs : wallMs({ ...wanted, day: wanted.day + 1 }, zoned);
}

const DAY = /(?:([A-Z][a-z]{2}) (\d{1,2})(?:, (\d{4}))?,? )?(?:at )?/;
const TIME = /(\d{1,2})(?::(\d{2}))?\s?([ap]m)?(?: \(([^)]+)\))?/;
const RESETS = new RegExp(`resets (?:at )?${DAY.source}${TIME.source}`, 'i');

function nearest(wall: Wall, timeZone: string, nowMs: number): number {
  const years = [0, 1, -1].map((more) => wallMs({ ...wall, year: wall.year + more }, timeZone));
  return years.reduce((best, one) => (Math.abs(one - nowMs) < Math.abs(best - nowMs) ? one : best));
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** A reset of a few minutes ago has just happened; it is not tomorrow's. */
const PAST_MS = 10 * 60_000;

interface Wall {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

function zoneOf(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

function partsIn(timeZone: string, atMs: number): Wall {
  const options = { timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const parts = new Intl.DateTimeFormat('en', { ...options, hour: 'numeric', minute: 'numeric' }).formatToParts(atMs);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value ?? 0);
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute') };
}

/** The instant when a clock in that zone shows this time. */
function wallMs(wall: Wall, timeZone: string): number {
  const plainMs = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
  // The first guess may be on the other side of a daylight saving change.
  return plainMs - aheadMs(timeZone, plainMs - aheadMs(timeZone, plainMs));
}

/** The UTC offset of the zone at that time. */
function aheadMs(timeZone: string, atMs: number): number {
  const shown = partsIn(timeZone, atMs);
  return (
    Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute) - Math.floor(atMs / 60_000) * 60_000
  );
}
