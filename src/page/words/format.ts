// Numbers, times and sizes as this browser's language writes them.

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const DAY_CLOCK = new Intl.DateTimeFormat(undefined, {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const DAY_NAME = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const MONEY = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' });
const MONEY_SHORT = new Intl.NumberFormat(undefined, {
  ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', maximumFractionDigits: 2 },
  trailingZeroDisplay: 'stripIfInteger',
});
const SHORT = new Intl.NumberFormat(undefined, { notation: 'compact' });
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });
const COUNT = new Intl.NumberFormat(undefined);
const DAY_MS = 86_400_000;

/** The time of day; of another day, with the day. */
export function timeText(atMs: number, nowMs: number): string {
  const isNear = Math.abs(nowMs - atMs) < DAY_MS && new Date(atMs).getDate() === new Date(nowMs).getDate();
  return (isNear ? CLOCK : DAY_CLOCK).format(atMs);
}

/** An amount of money; null: the agent does not say. */
export function moneyText(usd: number | null): string | null {
  if (usd === null) return null;
  return usd > 0 && usd < 0.005 ? '<$0.01' : MONEY.format(usd);
}

/** A value on a scale, short. */
export function measureText(value: number, measure: 'usd' | 'tokens'): string {
  if (measure === 'tokens') return SHORT.format(value);
  return value !== 0 && value < 1 ? `$${value.toPrecision(2)}` : MONEY_SHORT.format(value);
}

/** A day that is given as year, month and day. */
export function dayNameText(day: string): string {
  return DAY_NAME.format(new Date(`${day}T00:00:00Z`));
}

/** The day of a time. */
export function dayText(atMs: number): string {
  return DAY.format(atMs);
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

const SECONDS = new Intl.DateTimeFormat(undefined, {
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
});
const AXIS_DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
/** On a longer axis nobody needs seconds, and on one of days no minutes. */
const SECONDS_AXIS_MS = 600_000;
const DAY_AXIS_MS = 3 * DAY_MS;

/** The time of day, to the second. */
export function secondsText(atMs: number): string {
  return SECONDS.format(atMs);
}

/** A time on an axis that is so long. */
export function axisTimeText(atMs: number, axisMs: number): string {
  if (axisMs > DAY_AXIS_MS) return AXIS_DAY.format(atMs);
  return (axisMs < SECONDS_AXIS_MS ? SECONDS : axisMs < DAY_MS / 2 ? CLOCK : DAY_CLOCK).format(atMs);
}

/** A size as people read it. */
export function bytesText(bytes: number): string {
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${COUNT.format(Math.round(size))} ${unit}`;
}
