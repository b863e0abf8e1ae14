import { closeSync, openSync, readSync } from 'node:fs';

/** The first bytes of a file, up to the end of a line. */
export function firstText(path: string, bytesMax: number): string {
  const bytes = Buffer.alloc(bytesMax);
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const read = bytes.subarray(0, readSync(file, bytes, 0, bytesMax, 0));
    return read.toString('utf8', 0, read.lastIndexOf(10) + 1);
  } catch {
    return '';
  } finally {
    closeSync(file);
  }
}
