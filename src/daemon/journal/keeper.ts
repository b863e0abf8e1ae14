import { rmSync, statSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { run } from '../../base/spawn.ts';
import type { StoredJournal } from '../../journal/sqlite.ts';
import type { Fatal } from '../../journal/sqlite-guard.ts';
import { ENVIRONMENT } from '../config/config.ts';
import { backupFiles } from './backup.ts';
import { journalFile, savedFile } from './damaged-journal.ts';
import { damaged } from './open.ts';

/** The dependencies of the keeper. */
export interface KeeperParts {
  readonly journal: Pick<StoredJournal, 'saveAs'>;
  readonly state: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly giveUp: Fatal;
  /** The program that makes backups: this one, in its own process, because it takes time. */
  readonly program?: string;
  readonly everyMs: number;
}

/** The keeper of a running daemon. */
export interface Keeper {
  stop(): Promise<void>;
}

/** How often the files of the journal are checked. */
const LOOK_MS = 2_000;
/** A daemon that has just started is busy. */
const FIRST_MS = 60_000;
const BACKUP_MS_MAX = 10 * 60_000;
/** When a failed backup is retried. */
const AGAIN_MS = 30 * 60_000;

/** Checks whether the files of the journal still exist, and makes backups periodically. */
export function startKeeper(parts: KeeperParts): Keeper {
  const stopping = new AbortController();
  const loops = [keepLooking(parts, stopping.signal), keepBackingUp(parts, stopping.signal)];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

/** Detects deleted journal files: SQLite keeps writing into them, and the next daemon would find none of it. */
async function keepLooking(parts: KeeperParts, stopping: AbortSignal): Promise<void> {
  const { state, clock } = parts;
  const paths = [journalFile(state), `${journalFile(state)}-wal`];
  const known = new Map<string, number>();
  while (!stopping.aborted) {
    for (const path of paths) {
      const inode = inodeOf(path);
      // The write-ahead log is created with the first write.
      if (inode !== null && !known.has(path)) known.set(path, inode);
      if (known.has(path) && known.get(path) !== inode) lost(parts, path);
    }
    await clock.sleep(LOOK_MS, stopping);
  }
}

/** Ends the daemon, after saving what it still has of the journal for the next one. */
function lost({ state, journal, log, giveUp }: KeeperParts, gone: string): never {
  try {
    rmSync(savedFile(state), { force: true });
    journal.saveAs(savedFile(state));
  } catch (error) {
    log('the journal cannot be saved', { why: String(error) });
  }
  return giveUp(damaged(state, new Error(`${gone} was deleted or replaced while the daemon used it`)));
}

function inodeOf(path: string): number | null {
  const seen = statSync(path, { throwIfNoEntry: false });
  const isEmpty = seen?.size === 0 && !path.endsWith('-wal');
  return seen === undefined || isEmpty ? null : seen.ino;
}

async function keepBackingUp(parts: KeeperParts, stopping: AbortSignal): Promise<void> {
  const { clock, everyMs } = parts;
  await pause(clock, Math.min(FIRST_MS, everyMs), stopping);
  while (!stopping.aborted) {
    const dueMs = lastBackupMs(parts.state) + everyMs - clock.wallMs();
    // A wall clock that was set back must not delay backups for ever.
    const isDone = (dueMs > 0 && dueMs <= everyMs) || (await backedUp(parts));
    await pause(clock, isDone ? Math.min(Math.max(dueMs, LOOK_MS), everyMs) : Math.min(AGAIN_MS, everyMs), stopping);
  }
}

async function backedUp(parts: KeeperParts): Promise<boolean> {
  const { program = process.argv[1] ?? '', state, clock, log, giveUp } = parts;
  const options = { clock, msMax: BACKUP_MS_MAX, env: { ...definedOf(ENVIRONMENT), OUTLAST_STATE: state } };
  const ran = await run([process.execPath, program, 'state', 'backup'], options);
  if (ran.end === 'exited' && ran.status === 0) return true;
  const why = ran.end === 'exited' ? ran.stderr.trim() : ran.end;
  if (why.includes(' is damaged: ')) giveUp(damaged(state, new OutlastError('journal_damaged', why)));
  log('the journal could not be backed up', { why });
  return false;
}

/** The environment of the backup process: the number of backups to keep is in the config, which it locates. */
function definedOf(env: typeof ENVIRONMENT): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function lastBackupMs(state: string): number {
  const [last] = backupFiles(state);
  return last === undefined ? 0 : (statSync(last, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

/** Sleeps for the whole time. One sleep may be shorter than requested. */
async function pause(clock: Clock, ms: number, stopping: AbortSignal): Promise<void> {
  const dueMs = clock.steadyMs() + ms;
  while (!stopping.aborted && clock.steadyMs() < dueMs) await clock.sleep(dueMs - clock.steadyMs(), stopping);
}
