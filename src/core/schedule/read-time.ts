import { momentOf, type WallTime, wallTimeAt } from './zone-time.ts';

/** A time that was read, or what is wrong with it. */
export type ReadTime = { readonly ms: number } | { readonly fault: string };

const FORMS = 'write 18:30, tomorrow 9:00, 2026-11-20 09:00, 2026-11-20T09:00Z or +2h';
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 24 * 3_600_000, w: 7 * 24 * 3_600_000 } as const;
/** A schedule for a later time is a mistake. */
const AHEAD_MS_MAX = 20 * 366 * 24 * 3_600_000;

/**
 * Reads a time as people write it: `18:30`, `tomorrow 9:00`, an ISO time, or `+2h` from now. Without an offset it is a
 * time of the zone.
 */
export function readTime(text: string, nowMs: number, timeZone: string): ReadTime {
  const word = text.trim();
  const read = afterNow(word, nowMs) ?? exactly(word) ?? onDay(word, nowMs, timeZone);
  if (read === null) return { fault: `"${text}" is not a time; ${FORMS}` };
  if ('fault' in read) return read;
  if (read.ms <= nowMs) return { fault: `${text} has passed${pastHint(word)}` };
  if (read.ms - nowMs > AHEAD_MS_MAX) return { fault: `${text} is more than 20 years ahead` };
  return read;
}

function pastHint(word: string): string {
  const time = /^(?:today\s+)?(\d{1,2}:\d{2}(?::\d{2})?)$/i.exec(word)?.[1];
  return time === undefined ? '; give a later time' : `; for the next day write "tomorrow ${time}"`;
}

/** `+90m`, `+1d12h` */
function afterNow(word: string, nowMs: number): ReadTime | null {
  if (!word.startsWith('+')) return null;
  if (!/^\+(\d+[smhdw])+$/i.test(word)) return { fault: `"${word}" is not a duration; write +90m, +2h or +1d12h` };
  const parts = [...word.toLowerCase().matchAll(/(\d+)([smhdw])/g)];
  const sum = parts.reduce((ms, [, count, unit]) => ms + Number(count) * UNITS[unit as keyof typeof UNITS], 0);
  return { ms: nowMs + sum };
}

const DATE = String.raw`(\d{4})-(\d{2})-(\d{2})`;
const TIME = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?`;
const WITH_OFFSET = new RegExp(String.raw`^${DATE}[T ]${TIME}\s?(Z|[+-]\d{2}:?\d{2})$`, 'i');
const LOCAL = new RegExp(`^${DATE}[T ]${TIME}$`, 'i');
const BY_WORD = new RegExp(String.raw`^(?:(today|tomorrow)\s+(?:at\s+)?)?${TIME}$`, 'i');

/** An ISO time with its offset from UTC. */
function exactly(word: string): ReadTime | null {
  const match = WITH_OFFSET.exec(word);
  if (match === null) return null;
  const wall = wallOf(match.slice(1, 7));
  const offset = match[7] ?? 'Z';
  if (!isReal(wall)) return { fault: `"${word}" is not a valid time` };
  const { year, month, day, hour, minute, second } = wall;
  const utcMs = Date.UTC(year, month - 1, day, hour, minute, second);
  if (/z/i.test(offset)) return { ms: utcMs };
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return { ms: utcMs - (offset.startsWith('-') ? -1 : 1) * minutes * UNITS.m };
}

/** A time of a day, of a date, of today or of tomorrow. */
function onDay(word: string, nowMs: number, timeZone: string): ReadTime | null {
  const dated = LOCAL.exec(word);
  if (dated !== null) return momentIn(wallOf(dated.slice(1, 7)), timeZone, word);
  const timed = BY_WORD.exec(word);
  if (timed === null) return null;
  const [, day, ...time] = timed;
  const today = wallTimeAt(nowMs, timeZone);
  const ahead = day?.toLowerCase() === 'tomorrow' ? 1 : 0;
  const date = wallTimeAt(Date.UTC(today.year, today.month - 1, today.day + ahead), 'UTC');
  const named = [date.year, date.month, date.day].map(String);
  return momentIn(wallOf([...named, ...time]), timeZone, word);
}

function momentIn(wall: WallTime, timeZone: string, word: string): ReadTime {
  if (!isReal(wall)) return { fault: `"${word}" is not a valid time` };
  const ms = momentOf(wall, timeZone);
  if (ms === null) return { fault: `${word} does not exist in ${timeZone}: clocks are set forward over it` };
  return { ms };
}

function wallOf(parts: readonly (string | undefined)[]): WallTime {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0));
  return { year, month, day, hour, minute, second };
}

/** Not 31 February, and not 25:00. */
function isReal({ year, month, day, hour, minute, second }: WallTime): boolean {
  const date = wallTimeAt(Date.UTC(year, month - 1, day), 'UTC');
  return date.month === month && date.day === day && hour < 24 && minute < 60 && second < 60;
}
