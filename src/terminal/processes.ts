import { errnoOf } from '../base/errors.ts';
import { type Identity, type ProcessRow, type ProcessTable, systemTable } from './process-table.ts';

export type { Identity } from './process-table.ts';

/** A process that belongs to a run, and its place in the process tree. */
export interface Member extends Identity {
  readonly parent: number;
  readonly group: number;
}

/** The id of the current boot. */
export function bootId(table: ProcessTable = systemTable()): string {
  return table.boot();
}

/** The identity of the process that has this pid now. */
export function identityOf(pid: number, table: ProcessTable = systemTable()): Identity | null {
  const row = table.row(pid);
  return row ? { pid: row.pid, start: row.start, boot: row.boot } : null;
}

/** Reads "PID START BOOT\n"; null for anything else, such as an incomplete line. */
export function parseIdentity(text: string): Identity | null {
  const [, pid, start, boot] = /^([1-9]\d{0,9}) (\S+) (\S+)\n$/.exec(text) ?? [];
  return pid && start && boot ? { pid: Number(pid), start, boot } : null;
}

/** Are these two the same process? Two missing ones are. */
export function isSame(one: Identity | null, other: Identity | null): boolean {
  return one !== null && one.pid === other?.pid && one.start === other.start && one.boot === other.boot;
}

/** Is there a process with this pid? Much cheaper than `isAlive`; a reason to look, never to signal. */
export function seemsAlive({ pid }: Identity): boolean {
  try {
    // Signal 0 only checks, in a tenth of the time that /proc takes.
    return process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}

/** Is this very process still running? A zombie is not. */
export function isAlive(identity: Identity, table: ProcessTable = systemTable()): boolean {
  if (identity.boot !== table.boot()) return false;
  const row = table.row(identity.pid);
  return row !== null && row.start === identity.start && !row.zombie;
}

/** The processes whose environment has exactly OUTLAST_RUN=name. */
export function marked(name: string, table: ProcessTable = systemTable()): number[] {
  const pids = table.rows().map((row) => row.pid);
  const markers = table.markers(pids);
  return pids.filter((pid) => markers.get(pid) === name);
}

/**
 * All processes of a run: those with its run marker and the given roots, then their descendants and members of a
 * process group or session that one of them leads. A process with the marker of another run belongs to that run,
 * whatever its parent is. Never this process, its ancestors, or pid 1.
 */
export function members(name: string, roots: readonly Identity[], table: ProcessTable = systemTable()): Member[] {
  const rows = new Map(table.rows().map((row) => [row.pid, row]));
  const markers = table.markers([...rows.keys()]);
  for (const pid of ancestry(process.pid, rows)) rows.delete(pid);
  for (const [pid, marker] of markers) if (marker !== name) rows.delete(pid);
  const isRoot = (row: ProcessRow): boolean => markers.get(row.pid) === name || roots.some((root) => isSame(root, row));
  const seeds = [...rows.values()].filter(isRoot);
  return verified(rows, seeds, table).map(({ pid, start, boot, parent, group }) => ({
    pid,
    start,
    boot,
    parent,
    group,
  }));
}

/** Sends a signal to this very process. False when it is gone, or we may not signal it. */
export function signal(identity: Identity, name: NodeJS.Signals, table: ProcessTable = systemTable()): boolean {
  if (!isAlive(identity, table)) return false;
  try {
    return process.kill(identity.pid, name);
  } catch (error) {
    if (errnoOf(error) === 'ESRCH' || errnoOf(error) === 'EPERM') return false;
    throw error;
  }
}

const WORDS_MAX = 200;

/** The command line for people, as one printable line. */
export function describe(pid: number, table: ProcessTable = systemTable()): string {
  const words = table.words(pid).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  return words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX - 1)}…` : words;
}

/**
 * The table is read row by row. Only a parent or leader that is the same before and after makes another process a
 * member.
 */
function verified(rows: Map<number, ProcessRow>, seeds: ProcessRow[], table: ProcessTable): ProcessRow[] {
  const found = grow(rows, seeds);
  const gone = found.filter((row) => {
    const now = table.row(row.pid);
    return now === null || !isSame(now, row);
  });
  if (gone.length === 0) return found.filter((row) => !row.zombie);
  for (const row of gone) rows.delete(row.pid);
  return verified(
    rows,
    seeds.filter((row) => rows.has(row.pid)),
    table,
  );
}

function grow(rows: ReadonlyMap<number, ProcessRow>, seeds: readonly ProcessRow[]): ProcessRow[] {
  const found = new Set(seeds);
  const has = (pid: number): boolean => {
    const row = rows.get(pid);
    return row !== undefined && found.has(row);
  };
  const leads = (pid: number, what: 'group' | 'session'): boolean => has(pid) && rows.get(pid)?.[what] === pid;
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const row of rows.values()) {
      if (has(row.parent) || leads(row.group, 'group') || leads(row.session, 'session')) found.add(row);
    }
  }
  return [...found];
}

function ancestry(pid: number, rows: ReadonlyMap<number, ProcessRow>): Set<number> {
  const pids = new Set([1]);
  for (let at = pid; at > 0 && !pids.has(at); at = rows.get(at)?.parent ?? 0) pids.add(at);
  return pids;
}
