import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { run } from '../../base/spawn.ts';
import type { Journal } from '../../journal/journal.ts';
import { PROGRAM_PATH } from '../../terminal/programs.ts';
import type { Env } from '../config/config.ts';

type Facts = Pick<Journal, 'fact' | 'saveFact'>;

const FACT = 'planned';
const ASK_MS_MAX = 2_000;

/** Marks the stop as planned: whatever is gone when the next daemon looks did not crash. */
export function markPlanned(journal: Facts, log: Log, why: string): void {
  try {
    journal.saveFact(FACT, why);
    log('a planned restart', { why });
  } catch (error) {
    log('a planned restart could not be saved', { why: String(error) });
  }
}

/** True when the last daemon was stopped for a planned restart. The mark stays until every session was checked. */
export function isPlanned(journal: Pick<Journal, 'fact'>): boolean {
  return (journal.fact(FACT) ?? '') !== '';
}

/** Removes the mark after every session was checked: what breaks from now on is a crash. */
export function forgetPlanned(journal: Facts, log: Log): void {
  try {
    if (isPlanned(journal)) journal.saveFact(FACT, '');
  } catch (error) {
    // The next daemon may treat one crash as planned; that is better than no daemon.
    log('the mark of a planned restart could not be removed', { why: String(error) });
  }
}

/**
 * Why the machine is being shut down, or all processes of this user ended. The service manager does not say why it
 * stops us. null: neither, or unknown.
 */
export async function shutdownReason(env: Env, clock: Clock): Promise<string | null> {
  const [machine, user] = await Promise.all([
    isStopping(['is-system-running'], env, clock),
    isStopping(['--user', 'is-system-running'], env, clock),
  ]);
  if (machine) return 'the machine is being shut down';
  return user ? 'all processes of this user are being ended' : null;
}

async function isStopping(words: readonly string[], env: Env, clock: Clock): Promise<boolean> {
  const asked = { ...busOf(env), PATH: env.PATH ?? PROGRAM_PATH };
  const ran = await run(['systemctl', ...words], { clock, msMax: ASK_MS_MAX, env: asked });
  return ran.end === 'exited' && ran.stdout.toString('utf8').trim() === 'stopping';
}

/** The environment for finding this user's manager. */
function busOf(env: Env): Record<string, string> {
  const names = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
