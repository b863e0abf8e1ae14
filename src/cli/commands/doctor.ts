import { causeText } from '../../base/system-errors.ts';
import { type Outlast, OutlastError, stateFolder } from '../../client/index.ts';
import { fs, path } from '../../client/node.ts';
import { ownerOf } from '../../client/owner.ts';
import { socketPath } from '../../client/state.ts';
import { JOURNAL_CHECK, journalCheckOf, type StateCheck } from '../../present/state-check.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { ownProgram } from '../base/own-program.ts';
import { oneLine } from '../base/print.ts';
import { version } from '../base/version.ts';
import { configPath } from '../config/ask.ts';
import { configHomeOf, suffixOf } from '../service/facts.ts';
import { unitMistakes } from '../service/own-node.ts';
import { spin } from '../views/spinner.ts';
import { askState } from './state.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly hint?: string | undefined;
}

/** `outlast doctor` */
export const doctor = command({
  name: 'doctor',
  summary: 'Check the installation.',
  usage: 'doctor',
  words: { ...NO_WORDS, are: 'Exit status: 0 all checks pass, 1 some fail. Does not start the daemon.' },
  options: {},
  examples: [['outlast doctor', 'Shows the programs in use, and whether they work.']],
  async run(context) {
    const { json, print } = context;
    const theirs = await spin(context, 'checking the daemon', daemonChecks(context));
    // The daemon runs the commands: where it has checked too, only its result counts.
    const isTheirs = (name: string): boolean => theirs.some((check) => check.name === name);
    const own = ownChecks(context).filter(({ name }) => !isTheirs(name));
    // The check is slow, so it runs once.
    const journal = isTheirs(JOURNAL_CHECK) ? [] : [journalCheck(context.env)];
    const checks = [...own, ...journal, ...theirs];
    const ok = checks.every((check) => check.ok);
    if (json) await print.json({ ok, checks });
    for (const { name, ok, detail, hint } of json ? [] : checks) {
      await print.line(`${ok ? print.style('green', 'ok  ') : print.style('red', 'FAIL')} ${name}: ${oneLine(detail)}`);
      if (!ok && hint !== undefined) await print.line(`     ${oneLine(hint)}`);
    }
    return ok ? EXIT.fine : EXIT.failed;
  },
});

function ownChecks({ env }: Context): Check[] {
  const program = (name: string, hint: string): Check => {
    const found = findProgram(name, env);
    return { name, ok: found !== null, detail: found ?? 'not on PATH', hint };
  };
  return [
    { name: 'outlast', ok: true, detail: `${version()} in ${import.meta.dirname}` },
    { name: 'node', ok: true, detail: `${process.execPath} ${process.version}` },
    program('sh', 'A POSIX shell is needed.'),
    {
      ...program('tmux', ''),
      ok: true,
      detail: findProgram('tmux', env) ?? 'not on PATH; --tmux will not work, everything else does',
    },
    stateCheck(stateFolder(env)),
    spaceCheck(stateFolder(env)),
    socketCheck(stateFolder(env)),
    ...serviceChecks(env),
    ...configChecks(env),
  ];
}

/** Only the daemon can test whether the hooks of an agent arrive. */
const AWAY =
  'not running; it starts with the first command that needs it. To test the hooks of agents: `outlast daemon start`';

const SILENT = 'See `outlast daemon status` and `outlast daemon logs`.';

async function daemonChecks({ connect, env }: Context): Promise<Check[]> {
  try {
    const outlast = connect({ start: false });
    const { pid, version: its } = await outlast.daemonStatus();
    const same = its === version();
    const running = {
      name: 'daemon',
      ok: same,
      detail: `running, pid ${pid}, version ${its}`,
      hint: 'Run `outlast daemon restart` to start the installed version; sessions keep running.',
    };
    return [running, ...(await theirChecks(outlast, env, same))];
  } catch (error) {
    if (!(error instanceof OutlastError)) throw error;
    const owner = ownerOf(stateFolder(env));
    if (owner !== null)
      return [{ name: 'daemon', ok: false, detail: `pid ${owner.pid}: ${error.message}`, hint: SILENT }];
    const away =
      !fs.existsSync(path.join(stateFolder(env), 'daemon.sock')) || error.message.includes('no daemon is listening');
    if (away) return [{ name: 'daemon', ok: true, detail: AWAY }];
    return [{ name: 'daemon', ok: false, detail: error.message, hint: error.hint }];
  }
}

/** A daemon of another version may not know the request; the version mismatch is reported already. */
async function theirChecks(outlast: Outlast, env: Context['env'], isSame: boolean): Promise<readonly Check[]> {
  try {
    return (await outlast.doctor({ path: env.PATH })).checks;
  } catch (error) {
    if (isSame) throw error;
    return [];
  }
}

/** The folder itself, or the nearest one above it that exists. */
function existing(state: string): string {
  const found = fs.statSync(state, { throwIfNoEntry: false });
  return found !== undefined || path.dirname(state) === state ? state : existing(path.dirname(state));
}

/** Only trying shows whether a folder can be made: permissions are not the only obstacle. */
function whyUnmakeable(state: string): string | null {
  const above = existing(state);
  try {
    fs.rmdirSync(fs.mkdtempSync(path.join(above, '.outlast-')));
    return null;
  } catch (error) {
    return `cannot be created in ${above}: ${causeText(error)}`;
  }
}

const FREE_BYTES_MIN = 100 * 1024 ** 2;

function spaceCheck(state: string): Check {
  const { bavail, bsize } = fs.statfsSync(existing(state));
  const free = bavail * bsize;
  const hint = 'Free some disk space: no session can be started on a full disk.';
  return { name: 'disk space', ok: free > FREE_BYTES_MIN, detail: `${Math.floor(free / 1024 ** 2)} MB free`, hint };
}

function stateCheck(state: string): Check {
  const found = fs.statSync(state, { throwIfNoEntry: false });
  const hint = 'Set OUTLAST_STATE to a folder of your own, on a local disk.';
  const check = (ok: boolean, detail: string): Check => ({
    name: 'state folder',
    ok,
    detail: `${state} ${detail}`.trimEnd(),
    hint,
  });
  const why = found === undefined ? whyUnmakeable(state) : null;
  if (why !== null) return check(false, why);
  if (found === undefined) return check(true, '(does not exist yet; created when needed)');
  if (!found.isDirectory()) return check(false, 'is not a folder');
  if (found.uid !== process.getuid?.()) return check(false, `belongs to user ${found.uid}`);
  try {
    fs.accessSync(state, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  } catch {
    return check(false, 'cannot be written');
  }
  return check(true, (found.mode & 0o077) === 0 ? '' : '(accessible to others; fixed at the next start)');
}

/** Only when there is one, and it will not start. */
function serviceChecks(env: Context['env']): Check[] {
  const folders = { configHome: configHomeOf(env), suffix: suffixOf(env) };
  const hint = 'Run `outlast service install` again.';
  return unitMistakes(folders, env)
    .map((detail) => ({ name: 'service', ok: false, detail, hint }))
    .slice(0, 1);
}

function socketCheck(state: string): Check {
  try {
    return { name: 'socket', ok: true, detail: socketPath(state) };
  } catch (error) {
    return {
      name: 'socket',
      ok: false,
      detail: String(error),
      hint: error instanceof OutlastError ? error.hint : undefined,
    };
  }
}

/** The config, and the agents that a daemon would find with it. */
function configChecks(env: Context['env']): Check[] {
  const file = configPath(env);
  // The daemon program checks it: it knows every key, and would not start with a wrong one.
  const asked = ownProgram(env, ['--check']);
  const [why = '', hint = ''] = asked.stderr.replace(/^outlast: /, '').split('\n');
  if (asked.status !== 0) return [{ name: 'config', ok: false, detail: why, hint: hint.trim() }];
  const detail = fs.existsSync(file) ? file : `${file} (not found; using defaults)`;
  return [{ name: 'config', ok: true, detail }, ...checksIn(asked.stdout)];
}

function checksIn(json: string): readonly Check[] {
  try {
    return JSON.parse(json).checks;
  } catch {
    // An older daemon program does not report agents.
    return [];
  }
}

/** Runs in its own process, whether or not a daemon runs. */
function journalCheck(env: Context['env']): Check {
  const name = JOURNAL_CHECK;
  const file = path.join(stateFolder(env), 'outlast.db');
  if (!fs.existsSync(stateFolder(env))) return { name, ok: true, detail: `${file} (does not exist yet)` };
  try {
    return journalCheckOf(askState<StateCheck>(env, ['check']));
  } catch (error) {
    if (!(error instanceof OutlastError)) throw error;
    return { name, ok: false, detail: error.message, hint: 'Run `outlast state check` for details.' };
  }
}

function findProgram(name: string, env: Context['env']): string | null {
  for (const folder of (env.PATH ?? '').split(':')) {
    try {
      const file = path.join(folder || '.', name);
      fs.accessSync(file, fs.constants.X_OK);
      return file;
    } catch {
      // Invalid output counts as no check.
    }
  }
  return null;
}
