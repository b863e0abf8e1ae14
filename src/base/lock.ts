import { DatabaseSync } from 'node:sqlite';
import { OutlastError } from './errors.ts';

/** Held while one daemon owns a state folder. The kernel releases it when the process dies, however it dies. */
export interface Lock {
  release(): void;
}

/**
 * Takes the lock, or returns null when another process has it. The file is a database of its own that no other code
 * opens: closing any descriptor of a file drops all locks that the process has on it.
 */
export function takeLock(path: string): Lock | null {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { timeout: 0 });
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1');
  } catch (cause) {
    db?.close();
    const why = cause instanceof Error ? cause.message : String(cause);
    if (/locked|busy/.test(why)) return null;
    throw new OutlastError('state_unusable', `cannot lock ${path}: ${why}`, { cause });
  }
  const held = db;
  return { release: () => held.close() };
}
