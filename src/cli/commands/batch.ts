import { causeText } from '../../base/system-errors.ts';
import { stateFolder } from '../../client/index.ts';
import { fs, path } from '../../client/node.ts';
import { type Context, command } from '../base/command.ts';
import { countOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine } from '../base/print.ts';
import { BatchMemory, sumOf } from '../batch/batch-state.ts';
import type { Batch } from '../batch/plan.ts';
import { startProgress } from '../batch/progress.ts';
import { readBatch } from '../batch/read.ts';
import { batchSum, batchTable } from '../batch/view.ts';
import { type Row, rowsOf, work } from '../batch/work.ts';
import { LEFT, type Leaving, orLeave } from '../flow/leaving.ts';
import { worstStatus } from '../views/wait-status.ts';

const OPTIONS = {
  concurrency: { type: 'string', value: 'N', sentence: 'Sessions at once.', otherwise: 'as set in the file, or 8' },
  replies: { type: 'string', value: 'DIR', sentence: 'Write each reply to DIR/NAME.md.' },
  'dry-run': { type: 'boolean', sentence: 'Check the file and show which sessions are finished; start nothing.' },
  again: { type: 'boolean', sentence: 'Repeat everything, including finished sessions.' },
} as const;

/** `outlast batch` */
export const batch = command({
  name: 'batch',
  summary: 'Run the sessions of a file, in dependency order.',
  usage: 'batch FILE [OPTIONS]',
  words: {
    min: 1,
    max: 1,
    are: [
      'FILE is YAML or JSON, described in docs/guides/batch.md. The summary is on stdout.',
      'Run it again at any time, also after a crash: finished sessions are not repeated, running ones are found, and',
      'failed ones are tried again. Ctrl-C leaves the sessions running and starts no more.',
      'Status: 0 all answered, 4 one was stopped, 7 a person is needed, 8 something failed.',
    ].join('\n'),
  },
  options: OPTIONS,
  examples: [
    ['outlast batch weekly.yaml', 'All its sessions, in order.'],
    ['outlast batch weekly.yaml --dry-run', 'Check the file, and show what is left to do.'],
    ['outlast batch weekly.yaml --concurrency 2 --replies out', 'Two at once, the replies as files.'],
    ['outlast batch weekly.yaml --again', 'From the beginning.'],
  ],
  async run(context) {
    const { values, words, env, clock } = context;
    if (values.again && values['dry-run']) throw wrongCall('batch: choose one of --again and --dry-run');
    const read = await readBatch(words[0] ?? '', env);
    const plan = { ...read, concurrency: concurrencyOf(values.concurrency) ?? read.concurrency };
    const memory = new BatchMemory(path.join(stateFolder(env), 'batches', `${plan.id}.jsonl`));
    if (values['dry-run']) return finish(context, plan, rowsOf(plan, memory));
    const outlast = context.connect();
    // From here on the state folder exists.
    await outlast.daemonStatus();
    if (values.again) memory.again();
    const rows = rowsOf(plan, memory);
    const progress = startProgress({ rows, outlast, print: context.print, clock });
    const tell = {
      onChange: (row: Row) => progress.changed(row),
      onWarning: (warning: string) => progress.warn(warning),
    };
    const around = { outlast, memory, clock, ...tell };
    try {
      const end = await orLeave(async (signal) => {
        await work(plan, rows, around, signal);
        return rows;
      });
      await progress.stop().catch(() => {});
      return typeof end === 'string' ? leave(context, plan, rows, end) : finish(context, plan, rows);
    } finally {
      await progress.stop().catch(() => {});
    }
  },
});

function concurrencyOf(word: string | undefined): number | undefined {
  const count = countOf('--concurrency', word);
  if (count === undefined || (count >= 1 && count <= 100)) return count;
  throw wrongCall(`--concurrency: "${word}" is not a number from 1 to 100`);
}

async function leave(context: Context, { file }: Batch, rows: readonly Row[], signal: Leaving): Promise<number> {
  const running = rows.filter(({ state }) => state === 'running').map(({ part }) => part.sessionName);
  const lines = [
    `Interrupted. ${batchSum(rows)}`,
    ...(running.length === 0
      ? []
      : [`  Still running: ${running.join(' ')}`, `  End them: outlast stop ${running.join(' ')}`]),
    `  Continue: outlast batch ${file}`,
  ];
  // The terminal may be gone.
  await context.print.note(lines.join('\n')).catch(() => {});
  return LEFT[signal];
}

async function finish(context: Context<typeof OPTIONS>, plan: Batch, rows: readonly Row[]): Promise<number> {
  const { json, print, clock, values } = context;
  const isDry = values['dry-run'];
  const status = isDry ? EXIT.fine : worstStatus(rows.map(({ state }) => STATUS[state]));
  if (!isDry && values.replies !== undefined) writeReplies(values.replies, rows);
  if (json) await print.json({ ...summaryOf(plan, rows), status });
  else {
    await print.line(batchTable(rows, print, print.stdout.columns, clock.steadyMs()).join('\n'));
    await print.line(batchSum(rows));
    if (!isDry) for (const row of rows) if (row.why !== null) await print.note(whyText(row, plan));
  }
  return status;
}

const STATUS: Readonly<Record<Row['state'], number>> = {
  answered: EXIT.fine,
  held: EXIT.held,
  stopped: EXIT.stopped,
  failed: EXIT.endedBadly,
  // Skipped because of another part, which has its own status.
  skipped: EXIT.fine,
  // Waits for one that is held.
  waiting: EXIT.fine,
  running: EXIT.fine,
};

const ENDED: Partial<Record<Row['state'], string>> = {
  held: 'needs a person',
  stopped: 'was stopped',
  skipped: 'was skipped',
};

function whyText({ part, state, why, view, session }: Row, { file }: Batch): string {
  const line = `outlast: ${part.name} ${ENDED[state] ?? state}: ${oneLine(why ?? '')}`;
  const name = part.sessionName;
  if (state === 'held') {
    const help = view?.hold?.helps === 'resume' ? `Continue: outlast resume ${name}` : `Attach: outlast attach ${name}`;
    return `${line}\n  ${help}\n  Then: outlast batch ${file}`;
  }
  return state === 'skipped' || session === null ? line : `${line}\n  See: outlast report ${session}`;
}

function summaryOf({ name, file }: Batch, rows: readonly Row[]) {
  return {
    ...{ name, file, usage: sumOf(rows.map(({ usage }) => usage)) },
    sessions: rows.map(({ part, state, session, isOld, try: tries, reply, why, usage, tookMs }) => ({
      ...{ name: part.name, sessionName: part.sessionName, after: part.after, state, session, before: isOld },
      ...{ tries, reply, why, usage, tookMs },
    })),
  };
}

function writeReplies(folder: string, rows: readonly Row[]): void {
  try {
    fs.mkdirSync(folder, { recursive: true });
    for (const { part, state, reply } of rows)
      if (state === 'answered') fs.writeFileSync(path.join(folder, `${part.name}.md`), `${(reply ?? '').trimEnd()}\n`);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw wrongCall(`--replies: cannot write to ${folder}: ${causeText(error)}`);
  }
}
