import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { realClock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { LIMITS } from '../../base/limits.ts';
import { takeLock } from '../../base/lock.ts';
import { fileLog, type Log } from '../../base/log.ts';
import { backUp, problemsOf } from '../../journal/backup.ts';
import { Salvage } from '../../journal/salvage.ts';
import type { StateCheck } from '../../present/state-check.ts';
import { readConfig } from '../config/config.ts';
import { backupFiles, makeBackup } from './backup.ts';
import { asideFolders, damageOf, journalFile } from './damaged-journal.ts';
import { folderIds } from './folders.ts';
import { type Rebuilt, rebuildJournal } from './rebuild.ts';

// The commands of `outlast state`. They run in the program of the daemon, but in their own process: the daemon may be
// what is broken.

interface Parts {
  readonly state: string;
  readonly log: Log;
}

/** Runs a command of `outlast state`, and prints one line of JSON; returns the exit status. */
export async function stateCommand([what = '', file]: readonly string[], state: string): Promise<number> {
  const parts = { state, log: fileLog(join(state, 'daemon.log'), realClock()) };
  const path = file === undefined ? null : resolve(file);
  switch (what) {
    case 'check':
      return print(checkState(state));
    case 'backup':
      return print({ file: await backupTo(state, path) });
    case 'restore':
      if (path === null) throw new OutlastError('input_invalid', 'state restore needs a file');
      return print(alone(state, () => restored(parts, path)));
    case 'repair':
      return print(alone(state, () => rebuildJournal({ ...parts, clock: realClock() }, 'state repair was run')));
    default:
      throw new OutlastError('input_invalid', `there is no "state ${what}"`);
  }
}

/** Checks the journal without changing anything, even while a daemon uses it. */
export function checkState(state: string): StateCheck {
  const file = journalFile(state);
  const met = damageOf(state);
  const problems = [
    ...(met === null ? [] : [`a daemon found damage: ${met}`]),
    ...(existsSync(file) ? problemsOf(file, 'whole') : missing(state)),
  ];
  const salvage = new Salvage(file);
  try {
    const known = new Set(salvage.sessions());
    const journal = salvage.pairs('facts').find(([key]) => key === 'journal')?.[1] ?? null;
    const unknown = problems.length > 0 ? [] : folderIds(state).filter((id) => !known.has(id));
    const kept = { aside: asideFolders(state), backups: backupFiles(state) };
    return { ok: problems.length === 0, file, journal, problems, unknown, ...kept };
  } finally {
    salvage.close();
  }
}

function missing(state: string): string[] {
  return folderIds(state).length === 0 ? [] : ['it is missing, but session folders exist'];
}

async function backupTo(state: string, path: string | null): Promise<string> {
  const file = journalFile(state);
  if (!existsSync(file)) throw new OutlastError('input_invalid', `there is nothing to back up: ${file} does not exist`);
  if (path !== null) {
    await backUp(file, path);
    return path;
  }
  const made = await makeBackup(state, realClock().wallMs(), keptMax());
  if (made !== null) return made;
  throw new OutlastError('journal_failed', `there is too little space in ${state} for a backup`);
}

/** How many backups to keep. An invalid config must not prevent a backup. */
function keptMax(): number {
  try {
    return readConfig().backup.keep;
  } catch {
    return LIMITS.backupsMax;
  }
}

function restored(parts: Parts, path: string): Rebuilt {
  const [problem] = existsSync(path) ? problemsOf(path, 'quick') : ['there is no such file'];
  if (problem !== undefined) throw new OutlastError('input_invalid', `cannot restore ${path}: ${problem}`);
  return rebuildJournal({ ...parts, clock: realClock() }, `restored from ${path}`, path);
}

/** Runs only while no daemon uses the journal. */
function alone<T>(state: string, work: () => T): T {
  const lock = takeLock(join(state, 'lock.db'));
  if (lock === null)
    throw new OutlastError('daemon_running', 'a daemon is using the journal; run `outlast daemon stop` first');
  try {
    return work();
  } finally {
    lock.release();
  }
}

function print(value: object): number {
  process.stdout.write(`${JSON.stringify(value)}\n`);
  return 0;
}
