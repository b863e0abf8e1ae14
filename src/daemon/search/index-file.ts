import { chmodSync, closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../base/files.ts';

/** Where the index is: a folder of its own in the state folder. */
export function indexPath(state: string): string {
  return join(state, 'search', 'index.db');
}

/** Changes with the tables. An index of another version is deleted and built again. */
export const VERSION = 1;

/** SQLite must not exceed the bound by more than what it needs to make room. */
const PAGE_BYTES = 4096;

/**
 * `piece.id` grows with the time of the text: seconds, and a number within the second. So the newest matches come first
 * without sorting, and the oldest texts are the first rows. `words` has what is needed to find a piece, and no text.
 * `tags` has one word for each thing that a search can be limited to.
 */
const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE source (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, agent TEXT NOT NULL,
    conversation TEXT NOT NULL, session TEXT, path TEXT NOT NULL, cwd TEXT, at INTEGER NOT NULL, place TEXT);
  CREATE INDEX source_session ON source (session);
  CREATE TABLE piece (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, at INTEGER NOT NULL, start INTEGER NOT NULL,
    turn INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL);
  CREATE INDEX piece_source ON piece (source, start);
  CREATE TABLE session (id TEXT PRIMARY KEY, facts TEXT NOT NULL) WITHOUT ROWID;
  CREATE VIRTUAL TABLE words USING fts5 (text, tags, content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2');
  PRAGMA user_version = ${VERSION};`;

/** Opens the index for writing, or makes a new one. One that is damaged or of another version is deleted first. */
export function openIndex(path: string, bytesMax: number): DatabaseSync {
  makeFolder(dirname(path));
  try {
    return opened(path, bytesMax);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    deleteIndex(path);
    return opened(path, bytesMax);
  }
}

function opened(path: string, bytesMax: number): DatabaseSync {
  if (existsSync(path)) chmodSync(path, 0o600);
  // SQLite gives its other files the same mode.
  else closeSync(openSync(path, 'a', 0o600));
  const db = new DatabaseSync(path, { timeout: 5_000 });
  try {
    const pagesMax = Math.max(256, Math.floor(bytesMax / PAGE_BYTES));
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA journal_size_limit = 4194304; PRAGMA max_page_count = ${pagesMax}`);
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    if (version !== VERSION && version !== 0) throw new WrongVersion(`an index of version ${version}`);
    if (version === 0) db.exec(`BEGIN IMMEDIATE; ${TABLES} COMMIT`);
    // A page that is damaged is found when it is read; these are read by every search.
    db.prepare('SELECT count(*) FROM meta').get();
    db.exec("INSERT INTO words (words, rank) VALUES ('automerge', 8)");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

class WrongVersion extends Error {}

/** Deletes the index. It has nothing that is not stored elsewhere. */
export function deleteIndex(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true });
}

const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const FULL = 13;

/** Does this error say that the index itself is unusable, or of another version? */
export function isDamaged(error: unknown): boolean {
  const message = error instanceof Error ? error.message : '';
  return (
    error instanceof WrongVersion ||
    [CORRUPT, NOT_A_DATABASE].includes(sqliteCode(error)) ||
    /malformed|no such (table|column)|fts5: |vtable constructor failed/.test(message)
  );
}

/** Is there no more room: within the bound, or on the disk? */
export function isFull(error: unknown): boolean {
  return sqliteCode(error) === FULL;
}

function sqliteCode(error: unknown): number {
  const code = typeof error === 'object' && error !== null && 'errcode' in error ? Number(error.errcode) : 0;
  return code & 255;
}
