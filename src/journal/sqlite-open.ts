import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OutlastError } from '../base/errors.ts';
import { syncFolder } from '../base/files.ts';
import { newShortId } from '../base/ids.ts';
import { isDamage } from './damage.ts';
import { MIGRATIONS } from './migrations.ts';
import { wordsOf } from './sqlite-rows.ts';

/** In older versions a checkpoint at the wrong moment could corrupt the WAL. */
const SQLITE_MIN = [3, 51, 3] as const;

/** Opens the database, migrates it to the current schema, and makes its name durable. */
export function openDatabase(path: string): DatabaseSync {
  try {
    const db = new DatabaseSync(path, { timeout: 5_000 });
    checkVersion(db);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    migrate(db, path);
    name(db);
    // The file is only durable when its name is: the folders above it are synced once.
    for (const folder of [dirname(path), dirname(dirname(path))]) syncFolder(folder);
    return db;
  } catch (cause) {
    if (cause instanceof OutlastError) throw cause;
    const code = isDamage(cause) ? 'journal_damaged' : 'journal_failed';
    throw new OutlastError(code, `cannot open the journal ${path}: ${wordsOf(cause)}`, { cause });
  }
}

/** Gives a journal its id, once. Nothing is written to one that has it, so that it opens on a full disk too. */
function name(db: DatabaseSync): void {
  const known = db.prepare("SELECT 1 FROM facts WHERE key = 'journal'").get();
  if (known === undefined) db.prepare("INSERT INTO facts VALUES ('journal', ?)").run(newShortId());
}

function checkVersion(db: DatabaseSync): void {
  const version = String(db.prepare('SELECT sqlite_version() AS v').get()?.v);
  const parts = version.split('.').map(Number);
  const newer = SQLITE_MIN.map((min, i) => (parts[i] ?? 0) - min).find((difference) => difference !== 0) ?? 0;
  if (newer < 0) throw new OutlastError('state_unusable', `SQLite ${version} is too old, 3.51.3 is required`);
}

function migrate(db: DatabaseSync, path: string): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  if (version > MIGRATIONS.length) {
    throw new OutlastError('state_unusable', `${path} was written by a newer outlast (schema ${version})`);
  }
  if (version === MIGRATIONS.length) return;
  // All or nothing, and one sync instead of one for each step.
  const steps = MIGRATIONS.slice(version).join('\n');
  db.exec(`BEGIN; ${steps} PRAGMA user_version = ${MIGRATIONS.length}; COMMIT;`);
}
