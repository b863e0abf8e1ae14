import { OutlastError } from '../../client/index.ts';
import { path } from '../../client/node.ts';
import { REPAIR, type StateCheck } from '../../present/state-check.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { ownProgram } from '../base/own-program.ts';
import { oneLine } from '../base/print.ts';

interface Rebuilt {
  readonly journal: string;
  readonly sessions: number;
  readonly live: number;
  readonly aside: string | null;
  readonly untold: readonly string[];
}

/** `outlast state check` */
export const check = command({
  name: 'state check',
  summary: 'Check the journal for damage.',
  usage: 'state check [OPTIONS]',
  words: { ...NO_WORDS, are: 'Exit status: 0 intact, 1 damaged. Changes nothing; the daemon may be running.' },
  options: {},
  examples: [['outlast state check', 'Reads the whole file, and lists the problems.']],
  async run({ env, json, print }) {
    const found = askState<StateCheck>(env, ['check']);
    if (json) await print.json(found);
    for (const line of json ? [] : linesOf(found)) await print.line(oneLine(line));
    return found.ok ? EXIT.fine : EXIT.failed;
  },
});

/** `outlast state backup` */
export const backup = command({
  name: 'state backup',
  summary: 'Back up the journal.',
  usage: 'state backup [FILE]',
  words: { min: 0, max: 1, are: 'FILE is the destination; default: a new file in `backups` in the state folder.' },
  options: {},
  examples: [['outlast state backup /mnt/backup/outlast.db', 'A complete, verified copy.']],
  async run({ words: [file], env, json, print }) {
    const made = askState<{ file: string }>(env, ['backup', ...(file === undefined ? [] : [path.resolve(file)])]);
    await (json ? print.json(made) : print.line(made.file));
    return EXIT.fine;
  },
});

/** `outlast state restore` */
export const restore = command({
  name: 'state restore',
  summary: 'Restore a backup of the journal.',
  usage: 'state restore FILE',
  words: { min: 1, max: 1, are: 'FILE is a backup. Newer events in the session folders are added.' },
  options: {},
  examples: [
    ['outlast state restore ~/outlast.db', 'Stop the daemon first. Afterwards, no session continues automatically.'],
  ],
  async run({ words: [file = ''], ...context }) {
    return tell(context, askState<Rebuilt>(context.env, ['restore', path.resolve(file)]));
  },
});

/** `outlast state repair` */
export const repair = command({
  name: 'state repair',
  summary: 'Rebuild a damaged journal.',
  usage: 'state repair [OPTIONS]',
  words: { ...NO_WORDS, are: 'Uses what can be read of it, the session folders and the last backup.' },
  options: {},
  examples: [['outlast state repair', 'Stop the daemon first. The old file is kept.']],
  async run(context) {
    return tell(context, askState<Rebuilt>(context.env, ['repair']));
  },
});

/** Asks the daemon program about the journal, without a daemon. */
export function askState<T>(env: Context['env'], words: readonly string[]): T {
  const asked = ownProgram(env, ['state', ...words]);
  if (asked.status === 0) return JSON.parse(asked.stdout) as T;
  const [why = ''] = asked.stderr.replace(/^outlast: /, '').split('\n');
  if (asked.status === 75) throw new OutlastError('daemon_running', why);
  throw new OutlastError(asked.status === 2 ? 'input_invalid' : 'journal_failed', why);
}

async function tell({ json, print }: Pick<Context, 'json' | 'print'>, made: Rebuilt): Promise<number> {
  const { sessions, live, aside, untold } = made;
  if (json) {
    await print.json(made);
    return EXIT.fine;
  }
  const count = `${sessions} ${sessions === 1 ? 'session' : 'sessions'}`;
  await print.line(`The journal was rebuilt: ${count}, ${live} of them live.`);
  if (aside !== null) await print.line(`The old one is in ${aside}.`);
  if (untold.length > 0) await print.line(`These folders could not be used, and were left alone: ${untold.join(' ')}`);
  if (live > 0) await print.line('The next daemon adopts running sessions. The rest is held until `outlast resume`.');
  return EXIT.fine;
}

function linesOf({ ok, file, journal, problems, unknown, aside, backups }: StateCheck): string[] {
  const many = (all: readonly string[], what: string): string[] =>
    all.length === 0 ? [] : [`${what}: ${all.join(' ')}`];
  return [
    ok
      ? `${file} is intact${journal === null ? ' (does not exist yet)' : `; its id is ${journal}`}.`
      : `${file} is damaged:`,
    ...problems.map((problem) => `  ${problem}`),
    ...(ok ? [] : [REPAIR]),
    ...many(unknown, 'Folders not in the journal, left alone'),
    ...many(aside, 'Kept aside'),
    ...many(backups, 'Backups'),
  ];
}
