import { DatabaseSync } from 'node:sqlite';

/** Held while one daemon owns a state folder. The kernel lets go of it when the process dies, however it dies. */
export interface Lock {
  release(): void;
}

/**
 * Takes the lock, or answers null when somebody has it. The file is a database of its own that no other code opens:
 * closing any descriptor of a file drops all locks that the process has on it.
 */
export function takeLock(path: string): Lock | null {
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (error instanceof Error && /locked|busy/.test(error.message)) return null;
    throw error;
  }
  return { release: () => db.close() };
}
