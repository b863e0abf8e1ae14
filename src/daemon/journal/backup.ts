import { existsSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/files.ts';
import { LIMITS } from '../../base/limits.ts';
import { backUp } from '../../journal/backup.ts';
import { journalFile, timeWord } from './damaged-journal.ts';

/** A backup must leave this much disk space free. */
const FREE_BYTES_MIN = 500 * 1024 * 1024;

/** The folder of automatic backups. */
export function backupsFolder(state: string): string {
  return join(state, 'backups');
}

/** The existing backups, newest first. */
export function backupFiles(state: string): string[] {
  const folder = backupsFolder(state);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const whole = names.filter((name) => /^outlast-.*\.db$/.test(name));
  return whole
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

/** Makes a backup, and removes the oldest beyond those to keep; null: there is not enough space. */
export async function makeBackup(
  state: string,
  nowMs: number,
  keep: number = LIMITS.backupsMax,
): Promise<string | null> {
  const folder = backupsFolder(state);
  makeFolder(folder);
  if (!hasRoom(state)) return null;
  const path = join(folder, `outlast-${timeWord(nowMs)}.db`);
  await backUp(journalFile(state), path);
  for (const old of backupFiles(state).slice(keep)) rmSync(old, { force: true });
  return path;
}

function hasRoom(state: string): boolean {
  const { bavail, bsize } = statfsSync(state);
  return bavail * bsize - statSync(journalFile(state)).size > FREE_BYTES_MIN;
}
