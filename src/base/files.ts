import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { errnoOf } from './errors.ts';

/** Makes a folder, and its parents, with access for this user only. */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(path);
  // Step by step: where no folder can be made, such as in /proc, Node's recursive option loops forever.
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

/** Writes a file so that a reader sees all of it or nothing. It may be gone after a power cut. */
export function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}

/** Writes a file so that all of it exists or nothing, also after a power cut: temporary file, sync, rename, sync. */
export function writeDurably(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/** Makes the names in a folder durable. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Do these two paths lead to one folder, maybe by a link? False when one does not exist or cannot be accessed. */
export function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true;
  if (!isAbsolute(one) || !isAbsolute(other)) return false;
  try {
    const [a, b] = [statSync(one), statSync(other)];
    return a.isDirectory() && a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}
