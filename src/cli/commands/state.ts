import { OutlastError, stateFolder } from '../../client/index.ts';
import { path } from '../../client/node.ts';
import { daemonEnvironment, daemonProgram } from '../../client/start-daemon.ts';
import { REPAIR, type StateCheck } from '../../present/state-check.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
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
  words: { ...NO_WORDS, are: 'Exit status: 0 all is well, 1 something is not. Changes nothing; a daemon may run.' },
  options: {},
  examples: [['outlast state check', 'Reads the whole file, and names what is wrong.']],
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
  summary: 'Copy the journal, also while it is used.',
  usage: 'state backup [FILE]',
  words: { min: 0, max: 1, are: 'FILE is where to; without it, a new one in `backups` of the state folder.' },
  options: {},
  examples: [['outlast state backup /mnt/backup/outlast.db', 'A whole copy that was proven to be readable.']],
  async run({ words: [file], env, json, print }) {
    const made = askState<{ file: string }>(env, ['backup', ...(file === undefined ? [] : [path.resolve(file)])]);
    await (json ? print.json(made) : print.line(made.file));
    return EXIT.fine;
  },
});

/** `outlast state restore` */
export const restore = command({
  name: 'state restore',
  summary: 'Put a copy of the journal back.',
  usage: 'state restore FILE',
  words: { min: 1, max: 1, are: 'FILE is a backup. What the folders of sessions know besides is added.' },
  options: {},
  examples: [['outlast state restore ~/outlast.db', 'Stop the daemon first. Nothing starts by itself afterwards.']],
  async run({ words: [file = ''], ...context }) {
    return tell(context, askState<Rebuilt>(context.env, ['restore', path.resolve(file)]));
  },
});

/** `outlast state repair` */
export const repair = command({
  name: 'state repair',
  summary: 'Rebuild a damaged journal.',
  usage: 'state repair [OPTIONS]',
  words: { ...NO_WORDS, are: 'From what can be read of it, from the folders of sessions and from the last backup.' },
  options: {},
  examples: [['outlast state repair', 'Stop the daemon first. The file before is kept aside.']],
  async run(context) {
    return tell(context, askState<Rebuilt>(context.env, ['repair']));
  },
});

/** Asks the program of the daemon, in a process of its own: the daemon may be what does not work. */
export function askState<T>(env: Context['env'], words: readonly string[]): T {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const options = { env: daemonEnvironment(env, stateFolder(env)), encoding: 'utf8' } as const;
  const asked = spawnSync(process.execPath, [daemonProgram(env), 'state', ...words], options);
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
  await print.line(`The journal was rebuilt: ${sessions} sessions, ${live} of them not over.`);
  if (aside !== null) await print.line(`The one before is in ${aside}.`);
  if (untold.length > 0) await print.line(`These folders tell too little, and are left alone: ${untold.join(' ')}`);
  if (live > 0) await print.line('What runs is adopted by the next daemon. The rest is held until `outlast resume`.');
  return EXIT.fine;
}

function linesOf({ ok, file, journal, problems, unknown, aside, backups }: StateCheck): string[] {
  const many = (all: readonly string[], what: string): string[] =>
    all.length === 0 ? [] : [`${what}: ${all.join(' ')}`];
  return [
    ok
      ? `${file} is in order${journal === null ? ' (not there yet)' : `; its id is ${journal}`}.`
      : `${file} is damaged:`,
    ...problems.map((problem) => `  ${problem}`),
    ...(ok ? [] : [REPAIR]),
    ...many(unknown, 'Folders that it does not know, left alone'),
    ...many(aside, 'Kept aside'),
    ...many(backups, 'Backups'),
  ];
}
