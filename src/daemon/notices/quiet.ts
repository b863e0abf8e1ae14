import type { Config } from '../config/schema.ts';

type QuietHours = NonNullable<Config['quietHours']>;

const MINUTE_MS = 60_000;
const DAY_MIN = 24 * 60;

/** When the quiet hours that are now end, wall time; null: they are not now. */
export function quietUntil(hours: QuietHours | undefined, wallMs: number): number | null {
  if (hours === undefined) return null;
  const [from, to, now] = [minutesOf(hours.from), minutesOf(hours.to), minutesAt(hours, wallMs)];
  const isQuiet = from < to ? now >= from && now < to : now >= from || now < to;
  if (!isQuiet) return null;
  const end = Math.floor(wallMs / MINUTE_MS) * MINUTE_MS + wrapped(to - now) * MINUTE_MS;
  // The clocks may be changed in between.
  const off = wrapped(to - minutesAt(hours, end) + DAY_MIN / 2) - DAY_MIN / 2;
  return end + off * MINUTE_MS;
}

function wrapped(minutes: number): number {
  return (minutes + DAY_MIN) % DAY_MIN;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The minute of the day that a clock on the wall shows. */
function minutesAt({ timeZone }: QuietHours, wallMs: number): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return minutesOf(clock.format(wallMs));
}
