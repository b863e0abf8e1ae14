import type { Clock } from '../base/clock.ts';
import { isId } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Session } from '../core/session.ts';
import { type ProcessRow, systemTable } from '../terminal/process-table.ts';
import { describe, isAlive, signal } from '../terminal/processes.ts';

export interface OrphanParts {
  /** The session with this id, also one that was removed. */
  readonly find: (id: string) => Session | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly everyMs?: number;
}

/** The sweep while the daemon lives. */
export interface Orphans {
  /** How many were found and ended since it began. */
  ended(): number;
  stop(): Promise<void>;
}

interface World extends OrphanParts {
  readonly stopping: AbortSignal;
  /** Whoever was asked to end once, by its identity: one that cannot be ended is found again and again. */
  readonly found: Set<string>;
}

interface Orphan {
  readonly row: ProcessRow;
  readonly graceMs: number;
}

const EVERY_MS = 60_000;
const POLL_MS = 50;

/**
 * Ends what agents left behind that shows up after the end of their session. Only what carries the mark of such a run
 * itself is touched: what a command left running was meant to be left.
 */
export function startOrphans(parts: OrphanParts): Orphans {
  const stopping = new AbortController();
  const world: World = { ...parts, stopping: stopping.signal, found: new Set() };
  const sweeping = keepSweeping(world);
  return {
    ended: () => world.found.size,
    async stop() {
      stopping.abort();
      await sweeping;
    },
  };
}

async function keepSweeping(world: World): Promise<void> {
  const { clock, stopping, log, everyMs = EVERY_MS } = world;
  while (!stopping.aborted) {
    try {
      await Promise.all(orphans(world).map((orphan) => end(world, orphan)));
    } catch (error) {
      log('orphans cannot be looked for', { why: String(error) });
    }
    await clock.sleep(everyMs, stopping);
  }
}

function orphans({ find }: World): Orphan[] {
  const table = systemTable();
  const rows = new Map(table.rows().map((row) => [row.pid, row]));
  const markers = new Map(table.markers([...rows.keys()]));
  // Whoever started this daemon by hand from inside a run is not to lose it.
  for (let pid = process.pid; pid > 1; pid = rows.get(pid)?.parent ?? 0) markers.delete(pid);
  const graces = new Map([...new Set(markers.values())].map((name) => [name, graceOf(name, find)]));
  return [...markers].flatMap(([pid, name]) => {
    const row = rows.get(pid);
    const graceMs = graces.get(name) ?? null;
    return row === undefined || row.zombie || graceMs === null ? [] : [{ row, graceMs }];
  });
}

/** The grace of an agent's session that has ended; null for everybody else's run. */
function graceOf(name: string, find: OrphanParts['find']): number | null {
  const [id = '', run] = name.split('.');
  if (!isId(id) || !/^\d+$/.test(run ?? '')) return null;
  const session = find(id);
  if (session === null || session.id !== id || session.spec.drive === 'command') return null;
  return session.phase.at === 'ended' ? session.spec.policy.graceMs : null;
}

async function end({ clock, stopping, log, found }: World, { row, graceMs }: Orphan): Promise<void> {
  const words = describe(row.pid);
  if (!signal(row, 'SIGTERM')) return;
  // A stopped process cannot answer; CONT wakes it.
  signal(row, 'SIGCONT');
  const key = `${row.pid} ${row.start}`;
  if (!found.has(key)) log('a process of an ended session is ended', { pid: row.pid, words });
  found.add(key);
  const dueMs = clock.steadyMs() + graceMs;
  while (isAlive(row) && clock.steadyMs() < dueMs && !stopping.aborted) await clock.sleep(POLL_MS);
  if (!stopping.aborted) signal(row, 'SIGKILL');
}
