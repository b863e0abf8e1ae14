import type { BootView, ConversationView } from '../../api/contract-boot.ts';
import { durationText } from '../../present/duration.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { countOf, durationOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine } from '../base/print.ts';
import { spin } from '../views/spinner.ts';
import { cut, tableOf } from '../views/view.ts';

const OPTIONS = {
  'dry-run': { type: 'boolean', sentence: 'Only show what would be resumed and why.' },
  resume: { type: 'string', value: 'ID|all', multiple: true, sentence: 'Resume these, regardless of the policy.' },
  window: {
    type: 'string',
    value: 'TIME',
    sentence: 'Maximum time from the last activity to the interruption.',
    otherwise: 'boot.windowMs of the config, 20m',
  },
  delay: {
    type: 'string',
    value: 'TIME',
    sentence: 'Wait this long before the first resume.',
    otherwise: '20s; 0 with --resume',
  },
  'no-wait': { type: 'boolean', sentence: 'Same as --delay 0.' },
  only: {
    type: 'string',
    value: 'AGENT',
    multiple: true,
    sentence: 'Only conversations of this agent.',
    completes: 'agent',
  },
  limit: { type: 'string', value: 'N', sentence: 'Resume at most N.', otherwise: 'boot.limit of the config, 50' },
  tell: { type: 'boolean', sentence: 'Also send the boot notices if something new was found.' },
  last: { type: 'boolean', sentence: 'Show the result of the last scan instead.' },
} as const;

type Values = Context<typeof OPTIONS>['values'];

const WHY_COLUMNS_MAX = 60;
const ID_CHARS = 8;

/** `outlast boot` */
export const boot = command({
  name: 'boot',
  summary: 'Find interrupted conversations, and resume them.',
  usage: 'boot [OPTIONS]',
  words: {
    ...NO_WORDS,
    are: [
      'Scans the conversations of all agents on this machine, including those not started with Outlast.',
      'A conversation that was active when the machine or the process stopped is interrupted. Only those are',
      'resumed, as a session, and only with --resume or if boot.foreign in the config is auto.',
      'Exit status: 0, also if nothing was found; 1 if a resume failed, or a named one was not resumed.',
    ].join('\n'),
  },
  options: OPTIONS,
  examples: [
    ['outlast boot --dry-run', 'What was interrupted, and the verdict on everything else.'],
    ['outlast boot --resume all', 'Resume all of them.'],
    ['outlast boot --last', 'What happened after the last restart of the machine.'],
  ],
  async run(context) {
    const { values } = context;
    const outlast = context.connect();
    if (values.last) {
      const { boots } = await outlast.lastBoots();
      if (boots[0] !== undefined) return show(context, boots[0], []);
      if (context.json) await context.print.json(null);
      else await context.print.line('No scan yet. Run one: outlast boot --dry-run');
      return EXIT.fine;
    }
    const seen = await spin(context, 'scanning conversations', outlast.boot(inputOf(values)));
    return show(context, seen, values.resume);
  },
});

function inputOf(values: Values) {
  if (values['dry-run'] && values.resume.length > 0) throw wrongCall('boot: choose one of --dry-run and --resume');
  return {
    dryRun: values['dry-run'],
    resume: [...values.resume],
    tell: values.tell,
    only: [...values.only],
    windowMs: durationOf('--window', values.window),
    delayMs: values['no-wait'] ? 0 : durationOf('--delay', values.delay),
    limit: countOf('--limit', values.limit),
  };
}

async function show({ json, print, clock }: Context, seen: BootView, wanted: readonly string[]): Promise<number> {
  // A person who names a conversation wants that one: if it was not interrupted, that is not a success.
  const isNamed = wanted.length > 0 && !wanted.includes('all');
  const isFailed = seen.conversations.some(({ did }) => did === 'failed' || (isNamed && did === 'nothing'));
  if (json) await print.json(seen);
  else {
    const [head = '', ...rows] = tableOf(
      [
        ['AGENT', 'CONVERSATION', 'ACTIVE', 'VERDICT', 'DONE', 'WHY'],
        ...seen.conversations.map((one) => rowOf(one, clock.wallMs())),
      ],
      print.stdout.columns,
    );
    if (rows.length > 0) await print.line([print.style('bold', head), ...rows].join('\n'));
    await print.line(`${seen.summary}.`);
    const { stale = 0, ...rest } = seen.counts;
    const left = Object.values(rest).reduce((sum, count) => sum + count, 0) - seen.conversations.length;
    if (left > 0) await print.note(`${left} more are not shown: --only and --window narrow the list.`);
    if (stale > 0) await print.note(`${stale} more were not active at the time; --window widens the range.`);
  }
  return isFailed ? EXIT.failed : EXIT.fine;
}

function rowOf(one: ConversationView, nowMs: number): string[] {
  const done = one.did === 'nothing' ? '-' : one.did;
  const skipped = one.skipped === 0 ? '' : ` (${one.skipped} lines cannot be read)`;
  const why = cut(oneLine(`${one.detail ?? one.why}${skipped}`), WHY_COLUMNS_MAX);
  const id = one.verdict === 'interrupted' ? one.id : one.id.slice(0, ID_CHARS);
  return [one.agent, id, `${durationText(nowMs - one.atMs)} ago`, one.verdict, one.session ?? done, why];
}
