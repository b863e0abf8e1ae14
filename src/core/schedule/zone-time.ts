// Wall times in a time zone, by the zone data of the runtime.

/** A time as a clock on a wall shows it. */
export interface WallTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const DAY_MS = 24 * 3_600_000;
const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** Is this the IANA name of a time zone that the runtime knows? */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** What the clocks of a zone show at this moment. */
export function wallTimeAt(ms: number, timeZone: string): WallTime {
  const parts = formatOf(timeZone).formatToParts(ms);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return {
    ...{ year: of('year'), month: of('month'), day: of('day') },
    ...{ hour: of('hour'), minute: of('minute'), second: of('second') },
  };
}

/**
 * The moment at which the clocks of a zone show this. Of two, when clocks are set back, the first; null: clocks are set
 * forward over it, so no clock ever shows it.
 */
export function momentOf(wall: WallTime, timeZone: string): number | null {
  const asUtc = utcOf(wall);
  // The zone has at most two offsets around it.
  const moments = [asUtc - DAY_MS, asUtc + DAY_MS].map((near) => asUtc - offsetAt(near, timeZone));
  const real = moments.filter((ms) => ms + offsetAt(ms, timeZone) === asUtc);
  return real.length === 0 ? null : Math.min(...real);
}

/** How far a zone is ahead of UTC at this moment. */
export function offsetAt(ms: number, timeZone: string): number {
  const whole = Math.floor(ms / 1000) * 1000;
  return utcOf(wallTimeAt(whole, timeZone)) - whole;
}

function utcOf({ year, month, day, hour, minute, second }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  FORMATS.set(timeZone, format);
  return format;
}
