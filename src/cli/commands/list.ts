import type { CallOutput } from '../../api/contract.ts';
import { textWidth } from '../../base/grapheme-width.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { Outlast } from '../../client/index.ts';
import { listedNameOf, nameOf, runTimeText } from '../../present/state.ts';
import { treeOf } from '../../present/tree.ts';
import { type Context, command, NO_WORDS, type Values } from '../base/command.ts';
import { countOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine } from '../base/print.ts';
import { FILTER_OPTIONS, filterInput, isFiltered } from '../input/filter-options.ts';
import { signText, usedCell } from '../views/policy-view.ts';
import { ageOf, commandOf, cut, type Paint, stateOf, stateStyle, tableOf, workText } from '../views/view.ts';

type Listed = CallOutput<'session.list'>['sessions'][number];

const OPTIONS = {
  live: { type: 'boolean', sentence: 'Only live sessions.' },
  ended: { type: 'boolean', sentence: 'Only ended sessions.' },
  tail: { type: 'string', value: 'N', sentence: 'Show the last N lines of each.', otherwise: '0' },
  limit: { type: 'string', value: 'N', sentence: 'At most N.', otherwise: '50' },
  before: { type: 'string', value: 'ID', sentence: 'Only sessions older than this one.', completes: 'session' },
  tree: { type: 'boolean', sentence: 'Show sessions below their owners.' },
  below: { type: 'string', value: 'S', sentence: "Only S's children and descendants.", completes: 'session' },
  mine: { type: 'boolean', sentence: 'Inside a session: only its descendants.' },
  ...FILTER_OPTIONS,
} as const;

/** The reason can be long; `show` has all of it. */
const STATE_COLUMNS_MAX = 40;
const STATE_COLUMN = 1;

/** `outlast list` */
export const list = command({
  name: 'list',
  summary: 'List sessions: live ones first, then newest first.',
  usage: 'list [OPTIONS]',
  words: NO_WORDS,
  options: OPTIONS,
  examples: [
    ['outlast list --live', 'Live sessions.'],
    ['outlast list --tail 5', 'With the last lines of output.'],
    ['outlast list --tree --live', 'Who started whom.'],
    ['outlast list --state held', 'Sessions that need a person.'],
    ['outlast list --agent claude --workspace ~/api --older-than 1d', 'By agent, folder and age.'],
    ['outlast list --json | jq -r ".sessions[].id"', 'For a script.'],
  ],
  run: runList,
});

/** `outlast process list` */
export const processList = command({
  name: 'process list',
  summary: 'List sessions, one line each.',
  usage: 'process list [OPTIONS]',
  words: NO_WORDS,
  options: OPTIONS,
  examples: [['outlast process list', 'All of them.']],
  run: runList,
});

const NONE = {
  all: 'No sessions. Start one: outlast exec -- COMMAND, or outlast start "…"',
  live: 'No live sessions. Ended ones: outlast list --ended',
  ended: 'No ended sessions. Live ones: outlast list --live',
} as const;

const NONE_SUCH = 'No session matches. All sessions: outlast list';

async function runList(context: Context<typeof OPTIONS>): Promise<number> {
  const { values, print } = context;
  if ([values.live, values.ended, values.state !== undefined].filter(Boolean).length > 1)
    throw wrongCall('list: choose one of --live, --ended and --state');
  const filter = filterInput('list', values);
  const state = values.live ? 'live' : values.ended ? 'ended' : (filter.state ?? 'all');
  const before = values.before === undefined ? {} : { before: values.before };
  const outlast = context.connect();
  const below = await belowOf(context, outlast);
  const page = await outlast.list({
    ...filter,
    ...{ state, limit: countOf('--limit', values.limit), tail: countOf('--tail', values.tail) },
    ...{ ...before, ...below },
  });
  if (context.json) await print.json(page);
  else if (page.sessions.length === 0) await print.line(isFiltered(values) ? NONE_SUCH : NONE[state]);
  else await print.line(linesOf(page.sessions, context).join('\n'));
  const last = page.sessions.at(-1);
  if (!context.json && page.more && last) await print.note(`There are more: ${nextPage(values, last.id)}`);
  return EXIT.fine;
}

/** The command that prints the next page of the list. */
function nextPage(values: Values<typeof OPTIONS>, before: string): string {
  const kept = Object.entries({ ...values, before }).flatMap(([name, value]) => {
    if (!(name in OPTIONS) || value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name}`, shellWord(String(value))];
  });
  return ['outlast list', ...kept].join(' ');
}

function linesOf(sessions: readonly Listed[], { print, clock, values }: Context<typeof OPTIONS>): string[] {
  const nowMs = clock.wallMs();
  // With commands alone, two columns would be empty.
  const isTalk = sessions.some(({ drive }) => drive !== 'command');
  const isWork = sessions.some(({ worktree }) => worktree !== undefined);
  const isPlanned = sessions.some(({ schedule }) => schedule !== undefined);
  const shown = values.tree ? treeOf(sessions) : sessions.map((each) => ({ each, under: 0 }));
  const rows = shown.map(({ each, under }) => [
    `${'  '.repeat(under)}${listedNameOf(each)}`,
    cut(stateOf(each, nowMs), STATE_COLUMNS_MAX),
    ageOf(each, nowMs),
    runTimeText(each, nowMs),
    each.terminal,
    ...(isTalk ? [signText(each, nowMs), usedCell(each)] : []),
    ...(isWork ? [workText(each)] : []),
    ...(isPlanned ? [each.schedule === undefined ? '' : nameOf(each.schedule)] : []),
    commandOf(each),
  ]);
  const talk = [...(isTalk ? ['LAST ACTIVITY', 'USED'] : []), ...(isWork ? ['WORKTREE'] : [])];
  const from = isPlanned ? ['SCHEDULE'] : [];
  const table = [['SESSION', 'STATE', 'STARTED', 'TIME', 'TERMINAL', ...talk, ...from, 'COMMAND'], ...rows];
  const paint: Paint = (cell, row, column) => {
    const each = column === STATE_COLUMN ? shown[row - 1]?.each : undefined;
    return each === undefined ? cell : print.style(stateStyle(each), cell);
  };
  const [head = '', ...lines] = tableOf(narrowed(table, print.stdout.columns), print.stdout.columns, paint);
  const tails = shown.map(({ each }) => (each.tail ?? []).map((line) => print.style('dim', `    ${oneLine(line)}`)));
  return [print.style('bold', head), ...lines.flatMap((line, index) => [line, ...(tails[index] ?? [])])];
}

/** Inside a command that an agent started, the agent's session is the owner. */
async function belowOf({ values }: Context<typeof OPTIONS>, outlast: Outlast): Promise<{ below?: string }> {
  if (values.below !== undefined) return { below: values.below };
  if (!values.mine) return {};
  const self = await outlast.self();
  if (self === null) throw wrongCall('list: --mine works only inside an Outlast session');
  return { below: self };
}

const COMMAND_COLUMNS_MIN = 20;
const NARROW_STATE_COLUMNS_MAX = 24;
/** Columns that a narrow terminal leaves out, in this order. */
const DISPENSABLE = ['TERMINAL', 'STARTED', 'TIME', 'LAST ACTIVITY', 'USED', 'SCHEDULE'];

/** Leaves out columns until there is room for part of the command, which is the most useful one. */
export function narrowed(
  table: readonly (readonly string[])[],
  columnsMax: number,
  dispensable: readonly string[] = DISPENSABLE,
): string[][] {
  let left = table.map((row) => row.map((cell, index) => (index === 1 ? shortened(cell, columnsMax) : cell)));
  const widthOf = (index: number): number => Math.max(...left.map((row) => textWidth(row[index] ?? '')));
  const room = (): number => {
    const last = (left[0]?.length ?? 1) - 1;
    return columnsMax - Array.from({ length: last }, (_, index) => widthOf(index) + 2).reduce((sum, n) => sum + n, 0);
  };
  for (const name of dispensable) {
    const column = left[0]?.indexOf(name) ?? -1;
    if (column < 0) continue;
    const wanted = Math.min(COMMAND_COLUMNS_MIN, widthOf((left[0]?.length ?? 1) - 1));
    if (room() >= wanted) break;
    left = left.map((row) => row.toSpliced(column, 1));
  }
  return left;
}

function shortened(state: string, columnsMax: number): string {
  return columnsMax < 120 ? cut(state, NARROW_STATE_COLUMNS_MAX) : state;
}
