// Numbers, times and sizes as this browser's language writes them.

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const DAY_CLOCK = new Intl.DateTimeFormat(undefined, {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });
const COUNT = new Intl.NumberFormat(undefined);
const DAY_MS = 86_400_000;

/** The time of day; of another day, with the day. */
export function timeText(atMs: number, nowMs: number): string {
  const isNear = Math.abs(nowMs - atMs) < DAY_MS && new Date(atMs).getDate() === new Date(nowMs).getDate();
  return (isNear ? CLOCK : DAY_CLOCK).format(atMs);
}

/** A time in full, for whom the short one is not enough. */
export function wholeTimeText(atMs: number): string {
  return WHOLE.format(atMs);
}

/** A number with its thousands apart. */
export function numberText(count: number): string {
  return COUNT.format(count);
}

/** A path as people read it: below a home, from there. */
export function pathText(path: string): string {
  return path.replace(/^\/(?:home\/[^/]+|Users\/[^/]+|root)(?=\/|$)/, '~');
}

/** A size as people read it. */
export function bytesText(bytes: number): string {
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${COUNT.format(Math.round(size))} ${unit}`;
}
