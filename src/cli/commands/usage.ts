import type { CallOutput } from '../../api/contract.ts';
import { countText } from '../../present/row.ts';
import { nameOf } from '../../present/state.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { countOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { tableOf } from '../views/view.ts';

type Told = CallOutput<'usage.days'>;
type Sum = Told['total'];

const OPTIONS = {
  days: { type: 'string', value: 'N', sentence: 'The last N days, including today.', otherwise: '7' },
} as const;

const DAYS_MAX = 3_650;
const SESSIONS_MAX = 10;
/** Cached input is in its own columns. */
const KINDS = ['INPUT', 'OUTPUT', 'CACHED', 'TO CACHE'] as const;

/** `outlast usage` */
export const usage = command({
  name: 'usage',
  summary: 'Show agent usage by day, model and session.',
  usage: 'usage [OPTIONS]',
  words: NO_WORDS,
  options: OPTIONS,
  examples: [
    ['outlast usage', 'Turns, tokens and dollars of the last seven days.'],
    ['outlast usage --days 1', 'Today.'],
    ['outlast usage --days 30 --json | jq ".total.usd"', 'For a script.'],
  ],
  run: runUsage,
});

async function runUsage({ values, json, print, connect }: Context<typeof OPTIONS>): Promise<number> {
  const days = countOf('--days', values.days) ?? 7;
  if (days < 1 || days > DAYS_MAX) throw wrongCall(`usage: --days must be a number from 1 to ${DAYS_MAX}`);
  const told = await connect().usage({ days });
  if (json) await print.json(told);
  else if (told.days.length === 0) await print.line('No usage in this period.');
  else await print.line(pageOf(told, print).join('\n'));
  return EXIT.fine;
}

function pageOf({ days, models, sessions, total }: Told, print: Context['print']): string[] {
  const isApart = total.byKind !== undefined;
  const few = sessions.slice(0, SESSIONS_MAX);
  const more = sessions.length > few.length ? [`… and ${sessions.length - few.length} more`] : [];
  const table = (head: string, rows: readonly (readonly [string, Sum])[]): string[] => {
    const cells = rows.map(([name, sum]) => [name, ...cellsOf(sum, isApart)]);
    const heads = [head, 'TURNS', 'TOKENS', ...(isApart ? KINDS : []), 'COST'];
    const [first = '', ...lines] = tableOf([heads, ...cells], print.stdout.columns);
    return [print.style('bold', first), ...lines];
  };
  const all = days.length > 1 ? [['total', total] as const] : [];
  return [
    ...table('DAY', [...days.map((each) => [each.day, each] as const), ...all]),
    '',
    ...table(
      'MODEL',
      models.map((each) => [each.model ?? 'not reported', each] as const),
    ),
    '',
    ...table(
      'SESSION',
      few.map((each) => [nameOf({ name: each.name, id: each.session }), each] as const),
    ),
    ...more,
  ];
}

function cellsOf({ turns, tokens, usd, byKind }: Sum, isApart: boolean): string[] {
  const kinds = byKind && [byKind.input, byKind.output, byKind.cacheRead, byKind.cacheWrite].map(countText);
  const apart = isApart ? (kinds ?? ['-', '-', '-', '-']) : [];
  return [String(turns), countText(tokens), ...apart, usd === null ? '-' : `$${usd.toFixed(2)}`];
}
