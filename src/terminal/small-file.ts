import { existsSync, readFileSync } from 'node:fs';
import { errnoOf } from '../base/errors.ts';

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ESRCH']);
const FORBIDDEN = new Set(['EACCES', 'EPERM']);

/** The bytes of a small file, or null when it is not there. All else throws: "too many open files" is not "gone". */
export function readIfThere(path: string): Buffer | null {
  // Most of a run's files are not there most of the time, and an error costs ten times what this question does.
  if (!existsSync(path)) return null;
  try {
    return readFileSync(path);
  } catch (error) {
    if (GONE.has(errnoOf(error))) return null;
    throw error;
  }
}

/** The same, for files that may be somebody else's. */
export function readIfAllowed(path: string): Buffer | null {
  try {
    return readIfThere(path);
  } catch (error) {
    if (FORBIDDEN.has(errnoOf(error))) return null;
    throw error;
  }
}
