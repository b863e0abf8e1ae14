import { OutlastError } from '../base/errors.ts';

/** SQLITE_CORRUPT and SQLITE_NOTADB, and a file that is shorter than it says. */
const CODES = new Set([11, 26]);
const SHORT_READ = 522;

/** Does this error of SQLite, or an error caused by one, say that the file is damaged? */
export function isDamage(error: unknown): boolean {
  if (error instanceof OutlastError) return error.code === 'journal_damaged' || isDamage(error.cause);
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  const code = Number(error.errcode);
  return CODES.has(code & 0xff) || code === SHORT_READ;
}
