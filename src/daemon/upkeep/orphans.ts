import type { Clock } from '../../base/clock.ts';
import { isSameFolder } from '../../base/files.ts';
import { isId } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import { letOthers } from '../../base/others.ts';
import type { Session } from '../../core/session.ts';
import { type ProcessRow, type ProcessTable, systemTable } from '../../terminal/process-table.ts';
import { describe, isAlive, signal } from '../../terminal/processes.ts';

export interface OrphanParts {
  /** Our state folder: a run marker with another one belongs to another daemon. */
  readonly state: string;
  /** The session with this id, even a removed one. */
  readonly find: (id: string) => Session | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly everyMs?: number;
  readonly table?: ProcessTable;
}

/** The sweep of a running daemon. */
export interface Orphans {
  /** How many were found and ended since it started. */
  ended(): number;
  stop(): Promise<void>;
}

interface World extends OrphanParts {
  readonly stopping: AbortSignal;
  /** Processes that were logged, by identity: one that cannot be ended is found again and again. */
  readonly found: Set<string>;
}

interface Orphan {
  readonly row: ProcessRow;
  readonly graceMs: number;
}

const EVERY_MS = 60_000;
const POLL_MS = 50;

/**
 * Ends processes that agents left behind, when they are found after the end of the session. Only processes with the run
 * marker of such a session are ended: what a command left running is intended.
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
      await Promise.all((await orphans(world)).map((orphan) => end(world, orphan)));
    } catch (error) {
      log('the search for orphans failed', { why: String(error) });
    }
    await clock.sleep(everyMs, stopping);
  }
}

/** Checks a few processes at a time. There may be thousands, and callers must not wait for them. */
async function orphans({ find, state, stopping, table = systemTable() }: World): Promise<Orphan[]> {
  const own = ancestry(table);
  const graces = new Map<string, number | null>();
  const isOurs = foldersLike(state);
  const found: Orphan[] = [];
  for (const pids of table.pieces()) {
    await letOthers();
    if (stopping.aborted) return [];
    const marks = [...table.markers(pids)].filter(([pid]) => !own.has(pid));
    const states = marks.length === 0 ? new Map<number, string>() : table.states(marks.map(([pid]) => pid));
    for (const [pid, name] of marks) {
      const folder = states.get(pid);
      if (folder !== undefined && !isOurs(folder)) continue;
      if (!graces.has(name)) graces.set(name, graceOf(name, find));
      const graceMs = graces.get(name) ?? null;
      const row = graceMs === null ? null : table.row(pid);
      if (row !== null && graceMs !== null && !row.zombie) found.push({ row, graceMs });
    }
  }
  return found;
}

/** The ancestors of this daemon: if it was started by hand inside a run, that run must not be ended. */
function ancestry(table: ProcessTable): Set<number> {
  const own = new Set<number>();
  for (let pid = process.pid; pid > 1 && !own.has(pid); pid = table.row(pid)?.parent ?? 0) own.add(pid);
  return own;
}

/** A test for paths to the same folder, even under another name. Each name is resolved once. */
function foldersLike(folder: string): (other: string) => boolean {
  const known = new Map([[folder, true]]);
  return (other) => {
    const isOurs = known.get(other) ?? isSameFolder(folder, other);
    known.set(other, isOurs);
    return isOurs;
  };
}

/** The grace period of an agent's session that has ended; null for all other runs. */
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
  if (!found.has(key)) log('ending a process of an ended session', { pid: row.pid, words });
  found.add(key);
  const dueMs = clock.steadyMs() + graceMs;
  while (isAlive(row) && clock.steadyMs() < dueMs && !stopping.aborted) await clock.sleep(POLL_MS);
  if (!stopping.aborted) signal(row, 'SIGKILL');
}
