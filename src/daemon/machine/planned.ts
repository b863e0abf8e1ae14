import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { run } from '../../base/spawn.ts';
import type { Journal } from '../../journal/journal.ts';
import { PROGRAM_PATH } from '../../terminal/programs.ts';
import type { Env } from '../config/config.ts';

type Facts = Pick<Journal, 'fact' | 'saveFact'>;

const FACT = 'planned';
const ASK_MS_MAX = 2_000;

/** Leaves the mark: whatever is gone when the next daemon looks, went with this stop. */
export function markPlanned(journal: Facts, log: Log, why: string): void {
  try {
    journal.saveFact(FACT, why);
    log('a planned restart', { why });
  } catch (error) {
    log('a planned restart could not be written down', { why: String(error) });
  }
}

/** Was the daemon before us stopped for a planned restart? The mark stays until every session was looked at. */
export function isPlanned(journal: Pick<Journal, 'fact'>): boolean {
  return (journal.fact(FACT) ?? '') !== '';
}

/** Every session was looked at: what breaks from now on, breaks by itself. */
export function forgetPlanned(journal: Facts, log: Log): void {
  try {
    if (isPlanned(journal)) journal.saveFact(FACT, '');
  } catch (error) {
    // The next daemon may take a crash for planned once; that is better than no daemon.
    log('a planned restart could not be crossed out', { why: String(error) });
  }
}

/**
 * Is the machine being shut down, or everything of this user ended? Whoever is asked to end by its service manager is
 * not told why. null: no, or nobody can tell.
 */
export async function shutdownReason(env: Env, clock: Clock): Promise<string | null> {
  const [machine, user] = await Promise.all([
    isStopping(['is-system-running'], env, clock),
    isStopping(['--user', 'is-system-running'], env, clock),
  ]);
  if (machine) return 'the machine is shut down';
  return user ? 'everything of this user is ended' : null;
}

async function isStopping(words: readonly string[], env: Env, clock: Clock): Promise<boolean> {
  const asked = { ...busOf(env), PATH: env.PATH ?? PROGRAM_PATH };
  const ran = await run(['systemctl', ...words], { clock, msMax: ASK_MS_MAX, env: asked });
  return ran.end === 'exited' && ran.stdout.toString('utf8').trim() === 'stopping';
}

/** How the manager of this user is found. */
function busOf(env: Env): Record<string, string> {
  const names = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
