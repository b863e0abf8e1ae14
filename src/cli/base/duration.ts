import { wrongCall } from './parse.ts';

const UNIT_MS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;
const PART = /(\d+(?:\.\d+)?)(ms|d|h|m|s)/g;

/** Milliseconds of a duration such as `10s`, `1h30m`, `250ms` or `7d`. Only 0 may come without a unit. */
export function parseDuration(option: string, word: string): number {
  if (word === '0') return 0;
  const parts = [...word.matchAll(PART)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== word) {
    throw wrongCall(`${option}: "${word}" is not a valid duration; write it like 250ms, 10s, 5m, 1h30m or 7d`);
  }
  return Math.round(
    parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS], 0),
  );
}

/** Parses a duration; undefined when the option was not given. */
export function durationOf(option: string, word: string | undefined): number | undefined {
  return word === undefined ? undefined : parseDuration(option, word);
}

/** A whole number of 0 or more. */
export function countOf(option: string, word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (!/^\d{1,15}$/.test(word)) throw wrongCall(`${option}: "${word}" is not a whole number`);
  return Number(word);
}

/** A cursor as in JSON, or a position as people see it. */
export function cursorWord(option: string, word: string | undefined): string | number | undefined {
  if (word === undefined || /^[0-9a-z]{6}-\d{1,15}$/.test(word)) return word;
  if (/^\d{1,15}$/.test(word)) return Number(word);
  throw wrongCall(`${option}: "${word}" is not a position; write a number, or a cursor as --json prints it`);
}
