import { asFields, asNumber, asText, readObject } from '../../agent/seam/json.ts';

/** The earliest and the latest time that the ends of these lines name; null: none. Wall times. */
export function timesIn(lines: readonly string[]): { readonly firstMs: number | null; readonly lastMs: number | null } {
  return { firstMs: firstTime(lines), lastMs: firstTime(lines.toReversed()) };
}

/** Most lines have a time: only lines without one are passed over. */
const LINES_MAX = 50;

function firstTime(lines: readonly string[]): number | null {
  for (const line of lines.slice(0, LINES_MAX)) {
    const atMs = timeOf(line);
    if (atMs !== null) return atMs;
  }
  return null;
}

function timeOf(line: string): number | null {
  const fields = readObject(line);
  if (fields === null) return null;
  const { timestamp, ts, atMs, data } = fields;
  const created = asNumber(asFields(asFields(data)?.time)?.created);
  const number = asNumber(atMs) ?? asNumber(timestamp) ?? created;
  const parsed = number ?? Date.parse(asText(timestamp) ?? asText(ts) ?? '');
  // A number of another unit is no time of ours.
  return parsed > MS_MIN && parsed < MS_MAX ? parsed : null;
}

const MS_MIN = Date.UTC(2000, 0);
const MS_MAX = Date.UTC(2100, 0);
