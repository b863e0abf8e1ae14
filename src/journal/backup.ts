import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { OutlastError } from '../base/errors.ts';
import { syncFolder } from '../base/files.ts';
import { wordsOf } from './sqlite-rows.ts';

/** Pages per step, so that writers wait only for a moment. */
const PAGES = 500;
/** How many problems are listed. */
const PROBLEMS_MAX = 10;

/** Writes a complete copy of a journal that may be in use, and proves that it can be read. */
export async function backUp(from: string, to: string): Promise<void> {
  const half = `${to}.tmp`;
  rmSync(half, { force: true });
  try {
    const db = new DatabaseSync(from, { readOnly: true });
    try {
      await backup(db, half, { rate: PAGES });
    } finally {
      db.close();
    }
    const [problem] = problemsOf(half, 'quick');
    if (problem !== undefined) throw new OutlastError('journal_damaged', `${from} is damaged: ${problem}`);
    sync(half);
    renameSync(half, to);
    syncFolder(dirname(to));
  } catch (cause) {
    if (cause instanceof OutlastError) throw cause;
    throw new OutlastError('journal_failed', `cannot back up ${from} to ${to}: ${wordsOf(cause)}`, { cause });
  } finally {
    rmSync(half, { force: true });
  }
}

/** The problems of a journal file; empty when it is fine. quick: without the indexes and the records. */
export function problemsOf(path: string, how: 'quick' | 'whole'): string[] {
  try {
    const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    try {
      const pragma = how === 'quick' ? 'quick_check' : 'integrity_check';
      const lines = db.prepare(`PRAGMA ${pragma}(${PROBLEMS_MAX})`).all().flatMap(Object.values).map(String);
      const problems = lines.filter((line) => line !== 'ok');
      return how === 'quick' || problems.length > 0 ? problems : badRecords(db);
    } finally {
      db.close();
    }
  } catch (error) {
    return [wordsOf(error)];
  }
}

/** Records whose checksum is wrong. SQLite does not notice a changed letter; the checksum does. */
function badRecords(db: DatabaseSync): string[] {
  const problems: string[] = [];
  for (const { position, session, body, crc } of db
    .prepare('SELECT position, session, body, crc FROM events')
    .iterate()) {
    if (crc32(String(body)) === crc) continue;
    problems.push(`the record at ${position}, of session ${session}, is not what was written`);
    if (problems.length === PROBLEMS_MAX) break;
  }
  return problems;
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
