import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { sumOfKinds } from '../../core/usage.ts';
import type { UsageRow } from '../../journal/journal.ts';
import type { Parts } from '../serve/parts.ts';

type Output = CallOutput<'usage.days'>;
type Sum = Output['total'];

/** The usage on each of the last days, in the host's local time. */
export function usageDays(
  { journal, clock }: Pick<Parts, 'journal' | 'clock'>,
  { days }: HandlerInput<'usage.days'>,
): Output {
  const rows = journal.usage(startOfDay(clock.wallMs(), days - 1));
  const groups = Map.groupBy(rows, ({ atMs }) => dayOf(atMs));
  return {
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    total: sumOf(rows),
    days: [...groups]
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([day, own]) => ({ day, ...sumOf(own), models: byModel(own), sessions: bySession(own) })),
    models: byModel(rows),
    sessions: bySession(rows),
  };
}

/** Midnight, some days ago. Not a multiple of 24 hours: a day may have 23 or 25. */
function startOfDay(ms: number, daysBefore: number): number {
  const at = new Date(ms);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - daysBefore).getTime();
}

function dayOf(ms: number): string {
  const at = new Date(ms);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function byModel(rows: readonly UsageRow[]): Output['models'] {
  return sorted([...Map.groupBy(rows, ({ model }) => model)].map(([model, own]) => ({ model, ...sumOf(own) })));
}

function bySession(rows: readonly UsageRow[]): Output['sessions'] {
  const groups = [...Map.groupBy(rows, ({ session }) => session)];
  return sorted(groups.map(([session, own]) => ({ session, name: own[0]?.name ?? null, ...sumOf(own) })));
}

/** Highest cost first. */
function sorted<T extends Sum>(sums: T[]): T[] {
  return sums.sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0) || b.tokens - a.tokens);
}

function sumOf(rows: readonly UsageRow[]): Sum {
  const usd = rows.flatMap((row) => row.usd ?? []);
  return {
    turns: rows.reduce((sum, row) => sum + row.turns, 0),
    tokens: rows.reduce((sum, row) => sum + row.tokens, 0),
    usd: usd.length === 0 ? null : usd.reduce((sum, each) => sum + each, 0),
    byKind: sumOfKinds(rows.map(({ byKind }) => byKind)),
  };
}
