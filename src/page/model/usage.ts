import type { CallOutput } from '../../api/contract.ts';

type Told = CallOutput<'usage.days'>;
type Sum = Told['total'];

/** What is measured: dollars, or tokens where agents say no dollars. */
export type Measure = 'usd' | 'tokens';

/** How many models have a colour of their own; the others share one. */
const COLOURS = 6;

/** A model in the chart. `colour`: its place in the palette, from 1; 0: it shares that of the others. */
export interface ModelShare extends Sum {
  readonly model: string | null;
  readonly colour: number;
}

/** A part of a bar. */
export interface BarPart {
  readonly model: string | null;
  readonly colour: number;
  readonly value: number;
}

/** One day of the chart; a day without usage has no parts. */
export interface DayBar {
  readonly day: string;
  readonly sum: Sum | null;
  readonly total: number;
  readonly parts: readonly BarPart[];
}

/** The models, those with a colour first, in the order in which they are stacked. */
export function modelShares({ models }: Pick<Told, 'models'>): readonly ModelShare[] {
  return models.map((each, i) => ({ ...each, colour: i < COLOURS ? i + 1 : 0 }));
}

/** A bar for each day of the period, oldest first, also for those on which nothing was used. */
export function dayBars(told: Told, days: number, nowMs: number, measure: Measure): readonly DayBar[] {
  const colours = new Map(modelShares(told).map(({ model, colour }) => [model, colour]));
  const known = new Map(told.days.map((each) => [each.day, each]));
  return daysUntil(dayIn(told.timeZone, nowMs), days).map((day) => {
    const found = known.get(day);
    if (found === undefined) return { day, sum: null, total: 0, parts: [] };
    const parts = found.models.flatMap(({ model, ...sum }) => {
      const value = sum[measure] ?? 0;
      return value > 0 ? [{ model, colour: colours.get(model) ?? 0, value }] : [];
    });
    const order = (part: BarPart): number => (part.colour === 0 ? COLOURS + 1 : part.colour);
    parts.sort((a, b) => order(a) - order(b));
    return { day, sum: found, total: parts.reduce((all, { value }) => all + value, 0), parts };
  });
}

/** The measure that says most: dollars, unless no agent says any. */
export function usualMeasure({ total }: Pick<Told, 'total'>): Measure {
  return total.usd === null ? 'tokens' : 'usd';
}

/** A round number that no bar is higher than. */
export function scaleMax(values: readonly number[]): number {
  const most = Math.max(...values, 0);
  if (most === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return (STEPS.find((step) => step * power >= most) ?? 10) * power;
}

const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10] as const;

/** The day on which a moment is, in a time zone, as year, month and day. */
export function dayIn(timeZone: string, atMs: number): string {
  const form = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const parts = new Map(
    new Intl.DateTimeFormat('en', form).formatToParts(atMs).map(({ type, value }) => [type, value]),
  );
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

/** So many days, the last of which is given. */
function daysUntil(last: string, count: number): readonly string[] {
  const [year = 0, month = 1, day = 1] = last.split('-').map(Number);
  return Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(year, month - 1, day - count + 1 + i)).toISOString().slice(0, 10),
  );
}
