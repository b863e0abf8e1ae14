import type { CallOutput } from '../../api/contract.ts';
import { type Context, command, NO_WORDS } from '../command.ts';
import { countOf } from '../duration.ts';
import { EXIT } from '../exit.ts';
import { wrongCall } from '../parse.ts';
import { oneLine } from '../print.ts';
import { ageOf, commandOf, cut, nameOf, runTimeOf, stateOf, tableOf } from '../view.ts';

type Listed = CallOutput<'session.list'>['sessions'][number];

const OPTIONS = {
  live: { type: 'boolean', sentence: 'Only those that have not ended.' },
  ended: { type: 'boolean', sentence: 'Only those that have ended.' },
  tail: { type: 'string', value: 'N', sentence: 'Show the last N lines of output of each.', otherwise: '0' },
  limit: { type: 'string', value: 'N', sentence: 'At most N.', otherwise: '50' },
  before: { type: 'string', value: 'ID', sentence: 'Only those older than this one.' },
} as const;

/** What keeps an agent can be a long story; `show` tells it. */
const STATE_COLUMNS_MAX = 40;

/** `outlast list` */
export const list = command({
  name: 'list',
  summary: 'List sessions, newest first.',
  usage: 'list [OPTIONS]',
  words: NO_WORDS,
  options: OPTIONS,
  examples: [
    ['outlast list --live', 'What is running.'],
    ['outlast list --tail 5', 'With the last lines of each.'],
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

async function runList(context: Context<typeof OPTIONS>): Promise<number> {
  const { values, print } = context;
  if (values.live && values.ended) throw wrongCall('list: choose one of --live and --ended');
  const state = values.live ? 'live' : values.ended ? 'ended' : 'all';
  const before = values.before === undefined ? {} : { before: values.before };
  const page = await context
    .connect()
    .list({ state, limit: countOf('--limit', values.limit), tail: countOf('--tail', values.tail), ...before });
  if (context.json) await print.json(page);
  else if (page.sessions.length === 0)
    await print.line('No sessions. Start one: outlast exec -- COMMAND, or outlast start "…"');
  else await print.line(linesOf(page.sessions, context).join('\n'));
  const last = page.sessions.at(-1);
  if (!context.json && page.more && last) await print.note(`There are more: outlast list --before ${last.id}`);
  return EXIT.fine;
}

function linesOf(sessions: readonly Listed[], { print, clock }: Context<typeof OPTIONS>): string[] {
  const nowMs = clock.wallMs();
  const rows = sessions.map((each) => [
    nameOf(each),
    cut(stateOf(each), STATE_COLUMNS_MAX),
    ageOf(each, nowMs),
    runTimeOf(each, nowMs),
    each.terminal,
    commandOf(each),
  ]);
  const [head = '', ...lines] = tableOf(
    [['SESSION', 'STATE', 'STARTED', 'TIME', 'TERMINAL', 'COMMAND'], ...rows],
    print.stdout.columns,
  );
  const tails = sessions.map((each) => (each.tail ?? []).map((line) => print.style('dim', `    ${oneLine(line)}`)));
  return [print.style('bold', head), ...lines.flatMap((line, index) => [line, ...(tails[index] ?? [])])];
}
