import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { errnoOf } from '../base/errors.ts';

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ESRCH']);
const FORBIDDEN = new Set(['EACCES', 'EPERM']);

/** Does this error say that a file is not there? Any other says nothing about that. */
export function isGone(error: unknown): boolean {
  return GONE.has(errnoOf(error));
}

/**
 * The bytes of a small file, or null when it does not exist. All else throws: "too many open files" does not mean
 * "gone".
 */
export function readIfThere(path: string): Buffer | null {
  // Most of a run's files do not exist most of the time, and an error costs ten times as much as this check.
  if (!existsSync(path)) return null;
  try {
    return readFileSync(path);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** Reads a file that may belong to another user; null when it does not exist or may not be read. */
export function readIfAllowed(path: string): Buffer | null {
  try {
    return readIfThere(path);
  } catch (error) {
    if (FORBIDDEN.has(errnoOf(error))) return null;
    throw error;
  }
}

/** Opens a file for reading; null when it does not exist. The caller closes it. */
export function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

const END_BYTES_MAX = 16 * 1024;

/** The end of a text file, without a character that is cut in two; empty when it does not exist. */
export function endOf(path: string): string {
  const file = openIfThere(path);
  if (file === null) return '';
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, END_BYTES_MAX));
    const count = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8', 0, count).replace(/^\uFFFD+/, '');
  } finally {
    closeSync(file);
  }
}

/** A read of a file without a size would allocate a buffer of this size, which is most of its cost. */
const shared = Buffer.alloc(64 * 1024);

/**
 * The bytes of a file in /proc, or null when it does not exist or may not be read. Valid until the next one is read.
 */
export function readKernelFile(path: string): Buffer | null {
  try {
    const file = openSync(path, 'r');
    try {
      let bytes = 0;
      for (let read = -1; read !== 0 && bytes < shared.length; bytes += read) {
        read = readSync(file, shared, bytes, shared.length - bytes, null);
      }
      return bytes < shared.length ? shared.subarray(0, bytes) : readFileSync(path);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (GONE.has(errnoOf(error)) || FORBIDDEN.has(errnoOf(error))) return null;
    throw error;
  }
}
