import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeFolder, syncFolder, writeWhole } from '../../base/files.ts';

// A journal that is no longer used is kept in its own folder: damaged/TIME/outlast.db.

/** How many are kept. */
const KEPT_MAX = 5;

/** The file of the journal. */
export function journalFile(state: string): string {
  return join(state, 'outlast.db');
}

/** A complete copy, saved by a daemon whose journal files had been deleted. */
export function savedFile(state: string): string {
  return `${journalFile(state)}.saved`;
}

/** Exists when a daemon has found damage: the reason, in one line. */
export function damageFile(state: string): string {
  return `${journalFile(state)}.damage`;
}

/** Records for the next daemon that the journal is damaged. */
export function markDamaged(state: string, why: string): void {
  try {
    writeWhole(damageFile(state), `${why}\n`);
  } catch {
    // The next daemon will find the same damage.
  }
}

/** The damage that the last daemon found; null: none. */
export function damageOf(state: string): string | null {
  return existsSync(damageFile(state)) ? readFileSync(damageFile(state), 'utf8').trim() : null;
}

/** Moves the journal into its own folder; returns that folder, or null when there is nothing to move. */
export function keepAside(state: string, nowMs: number): string | null {
  const found = [journalFile(state), `${journalFile(state)}-wal`, savedFile(state), damageFile(state)].filter(
    existsSync,
  );
  rmSync(`${journalFile(state)}-shm`, { force: true });
  if (found.length === 0) return null;
  const folder = freeFolder(join(state, 'damaged'), timeWord(nowMs));
  makeFolder(folder);
  for (const path of found) renameSync(path, join(folder, basename(path)));
  syncFolder(state);
  for (const old of asideFolders(state).slice(KEPT_MAX)) rmSync(old, { recursive: true, force: true });
  return folder;
}

/** The folders of journals that were moved, newest first. */
export function asideFolders(state: string): string[] {
  const above = join(state, 'damaged');
  const names = existsSync(above) ? readdirSync(above).sort().reverse() : [];
  return names.map((name) => join(above, name));
}

/** A time as a file name. */
export function timeWord(nowMs: number): string {
  return new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
}

function freeFolder(above: string, name: string): string {
  for (let i = 0; ; i += 1) {
    const folder = join(above, i === 0 ? name : `${name}-${i}`);
    if (!existsSync(folder)) return folder;
  }
}
