import { causeText } from '../../base/system-errors.ts';
import { type Outlast, OutlastError, stateFolder } from '../../client/index.ts';
import { fs, path } from '../../client/node.ts';
import { ownerOf } from '../../client/owner.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine } from '../base/print.ts';
import { readLine, stdinKind } from '../input/stdin.ts';
import { configHomeOf } from '../service/facts.ts';
import { runQuietly } from '../service/run-quietly.ts';
import { agentsFound } from '../uninstall/agents.ts';
import { cachesFound, configFound, stateFound } from '../uninstall/folders.ts';
import { type Found, namesIn, type Places } from '../uninstall/found.ts';
import { servicesFound } from '../uninstall/services.ts';
import { shellsFound } from '../uninstall/shells.ts';
import { SCRIPTS } from './completion.ts';

const OPTIONS = {
  'dry-run': { type: 'boolean', sentence: 'Only list what would be removed; the default without a terminal.' },
  yes: { type: 'boolean', short: 'y', sentence: 'Do not ask.' },
  state: { type: 'boolean', sentence: 'Also remove all sessions and their output.' },
  force: { type: 'boolean', sentence: 'With --state: end live sessions first.' },
} as const;

const PAGE = 1_000;

/** `outlast uninstall` */
export const uninstall = command({
  name: 'uninstall',
  summary: 'List what Outlast put on this machine, and remove it.',
  usage: 'uninstall [OPTIONS]',
  words: {
    ...NO_WORDS,
    are: 'Lists everything first, then asks. Anything that may not be ours stays, and the list says why.',
  },
  options: OPTIONS,
  examples: [
    ['outlast uninstall', 'Services, lines in shell files, plugin, caches. Sessions stay.'],
    ['outlast uninstall --dry-run', 'Look first, change nothing.'],
    ['outlast uninstall --yes --state', 'Everything, without asking.'],
  ],
  async run(context) {
    const { values, env, json, print } = context;
    const places = placesOf(env);
    const isStored = namesIn(path.join(places.state, 'sessions')).length > 0;
    const outlast = context.connect({ start: values.state && isStored });
    const live = await liveIn(outlast);
    if (values.state && live.length > 0 && !values.force)
      throw new OutlastError(
        'session_live',
        `${countText(live.length)} still running: end them with \`outlast stop --all\`, or add --force`,
      );
    const all = [
      ...servicesFound(places),
      ...shellsFound(places, Object.values(SCRIPTS)),
      ...agentsFound(places),
      ...cachesFound(places),
      ...configFound(places),
      ...stateFound(places, values.state),
    ];
    if (!json) for (const line of listText(all, live.length)) await print.line(line);
    const wanted = all.filter((each) => each.remove !== null);
    const isWanted = !values['dry-run'] && wanted.length > 0 && (values.yes || (await isAgreed(context)));
    const removed = isWanted ? await removeAll(context, wanted, outlast, live) : [];
    const next = programText(places.program);
    if (json) {
      const entry = ({ kind, what, stays }: Found) => ({ kind, what, stays: stays ?? null });
      await print.json({ found: all.map(entry), removed: removed.map(({ what }) => what), live: live.length, next });
    } else {
      if (!isWanted && wanted.length > 0)
        await print.line('Nothing was removed. To remove it: outlast uninstall --yes');
      await print.line(next);
    }
    return !isWanted || removed.length === wanted.length ? EXIT.fine : EXIT.failed;
  },
});

function placesOf(env: Context['env']): Places {
  const home = env.HOME || process.getBuiltinModule('node:os').homedir();
  return {
    env,
    home,
    config: configHomeOf(env),
    cache: env.XDG_CACHE_HOME || path.join(home, '.cache'),
    data: env.XDG_DATA_HOME || path.join(home, '.local', 'share'),
    state: stateFolder(env),
    program: path.dirname(path.dirname(fs.realpathSync(process.argv[1] ?? '/'))),
  };
}

/** The sessions that run; a daemon that is not running is started only when they must be known. */
async function liveIn(outlast: Outlast): Promise<string[]> {
  try {
    return (await outlast.list({ state: 'live', limit: PAGE })).sessions.map(({ id }) => id);
  } catch (error) {
    if (error instanceof OutlastError && error.code === 'daemon_unreachable') return [];
    throw error;
  }
}

function listText(all: readonly Found[], live: number): string[] {
  const group = (title: string, found: readonly Found[], text: (each: Found) => string): string[] =>
    found.length === 0 ? [] : [title, ...found.map((each) => `  ${each.kind.padEnd(8)} ${oneLine(text(each))}`)];
  const lines = [
    ...group(
      'To remove:',
      all.filter((each) => each.remove !== null),
      ({ what }) => what,
    ),
    ...group(
      'Stays:',
      all.filter((each) => each.remove === null),
      ({ what, stays }) => `${what}: ${stays}`,
    ),
  ];
  if (lines.length === 0) lines.push('Outlast has put nothing on this machine.');
  return live === 0 ? lines : [...lines, `${countText(live)} running.`];
}

async function isAgreed({ print, json }: Context): Promise<boolean> {
  if (json || stdinKind() !== 'tty' || !print.stderr.isTty) return false;
  await print.stderr.write('Remove it? [y/N] ');
  return /^y(es)?$/i.test(readLine().trim());
}

async function removeAll(
  context: Context<typeof OPTIONS>,
  wanted: readonly Found[],
  outlast: Outlast,
  live: readonly string[],
): Promise<Found[]> {
  const { values, print, json, env } = context;
  if (values.state) for (const session of live) await outlast.stop({ session, force: true });
  const removed: Found[] = [];
  const remove = async (each: Found): Promise<void> => {
    try {
      if (each.kind === 'state') await endDaemon(context, stateFolder(env));
      each.remove?.();
      removed.push(each);
      if (!json) await print.line(`removed ${oneLine(each.what)}`);
    } catch (error) {
      await print.note(`outlast: ${each.what} stays: ${causeText(error)}`);
    }
  };
  // The service manager first: it would start a new daemon. The state folder last: the daemon writes there.
  for (const each of wanted) await remove(each);
  if (live.length === 0 || values.state) await endDaemon(context, stateFolder(env));
  return removed;
}

const END_MS_MAX = 10_000;
const LOOK_MS = 20;

async function endDaemon({ clock, env, connect }: Context<typeof OPTIONS>, state: string): Promise<void> {
  await connect({ start: false })
    .stopDaemon()
    .catch(() => null);
  const deadlineMs = clock.steadyMs() + END_MS_MAX;
  while (ownerOf(state) !== null) {
    if (clock.steadyMs() > deadlineMs)
      throw new OutlastError('timed_out', `the daemon (pid ${ownerOf(state)?.pid}) does not end`);
    await clock.sleep(LOOK_MS);
  }
  // A tmux server outlives its last session.
  const servers = path.join(state, 'tmux');
  for (const name of namesIn(servers)) runQuietly(['tmux', '-S', path.join(servers, name), 'kill-server'], env);
}

function programText(program: string): string {
  const [prefix, rest] = program.split(/\/lib\/node_modules\/(?=outlast$)/);
  if (rest !== undefined) return `To remove the program itself: npm uninstall -g --prefix ${prefix} outlast`;
  if (program.endsWith('/node_modules/outlast')) return 'To remove the program itself: npm uninstall outlast';
  const linked = 'if you linked it, first run npm uninstall -g outlast';
  return `The program itself is in ${program}: delete that folder; ${linked}`;
}

function countText(count: number): string {
  return count === 1 ? '1 session is' : `${count} sessions are`;
}
