import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
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

/** Reads a file that may belong to another user; null when it is not there or may not be read. */
export function readIfAllowed(path: string): Buffer | null {
  try {
    return readIfThere(path);
  } catch (error) {
    if (FORBIDDEN.has(errnoOf(error))) return null;
    throw error;
  }
}

/** Opens a file for reading; null when it is not there. Whoever opens it closes it. */
export function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (GONE.has(errnoOf(error))) return null;
    throw error;
  }
}

/** Every read of a file without a size would take a buffer of this size of its own, which is most of what it costs. */
const shared = Buffer.alloc(64 * 1024);

/**
 * The bytes of a file that the kernel makes up, or null when it is not there or not for us to see. Good until the next
 * one is read.
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
