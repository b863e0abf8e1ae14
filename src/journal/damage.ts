import { OutlastError } from '../base/errors.ts';

/** SQLITE_CORRUPT and SQLITE_NOTADB, and a file that is shorter than it says. */
const CODES = new Set([11, 26]);
const SHORT_READ = 522;

/** Tells whether an error of SQLite, or one that was made of it, says that the file is not what was written. */
export function isDamage(error: unknown): boolean {
  if (error instanceof OutlastError) return error.code === 'journal_damaged' || isDamage(error.cause);
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  const code = Number(error.errcode);
  return CODES.has(code & 0xff) || code === SHORT_READ;
}
