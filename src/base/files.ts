import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { errnoOf } from './errors.ts';

/** Makes a folder, and those above it, for us alone. */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(path);
  // Step by step: in a folder that takes none, such as /proc, Node's own way goes round for ever.
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

/** Writes a file so that whoever reads it sees it whole or not at all. It may be gone after a power cut. */
export function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}

/** Writes a file so that it is there whole or not at all, also after a power cut: temp file, sync, rename, sync. */
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

/** Are these two paths one folder, be it by a link? What is not there, or not for us to see, is none. */
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
