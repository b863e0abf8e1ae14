import { execFile } from 'node:child_process';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf } from '../base/errors.ts';
import { LIMITS } from '../base/limits.ts';
import { causeText } from '../base/system-errors.ts';
import { type OutputFiles, outputDropped, outputSize, outputTaken } from './output.ts';

/**
 * The result of keeping the cap. A problem is for people: the bytes count as dropped, but the disk space was not freed.
 */
export interface Kept {
  readonly droppedBytes: number;
  readonly problem: string | null;
}

/**
 * Frees the oldest bytes of an output that has outgrown its cap, in whole blocks down to three quarters of it. Offsets
 * do not move: the range becomes a hole in the file. A failure to free is returned, not thrown. Messages that are not
 * read yet are not freed, even if the output stays larger than its cap.
 */
export async function keepWithin(files: OutputFiles, bytesMax: number): Promise<Kept> {
  const droppedBytes = await outputDropped(files);
  const target = await droppedWithin(files, bytesMax);
  if (target === droppedBytes) return { droppedBytes, problem: null };
  try {
    await writeDurably(files.dropped, `${target}\n`);
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return { droppedBytes, problem: `cannot write ${files.dropped}: ${causeText(error)}` };
  }
  return { droppedBytes: target, problem: await punch(files.output, target) };
}

/** How much of an output is dropped once the cap is kept; this may lag behind what was printed. */
export async function droppedWithin(files: OutputFiles, bytesMax: number): Promise<number> {
  const droppedBytes = await outputDropped(files);
  const size = await outputSize(files);
  const wanted = Math.min(size - bytesMax * 0.75, await outputTaken(files));
  const target = Math.floor(wanted / BLOCK_BYTES) * BLOCK_BYTES;
  return size - droppedBytes <= bytesMax ? droppedBytes : Math.max(target, droppedBytes);
}

/** Common file systems free whole blocks of this size. */
const BLOCK_BYTES = 4096;
const run = promisify(execFile);

/** A smaller count after a power cut would show a hole as output, so the count is on disk before the hole exists. */
async function writeDurably(path: string, text: string): Promise<void> {
  const fresh = `${path}.new`;
  {
    await using file = await open(fresh, 'w', 0o600);
    await file.writeFile(text);
    await file.sync();
  }
  await rename(fresh, path);
  await using folder = await open(dirname(path), 'r');
  await folder.sync();
}

/** Makes the beginning of a file a hole; returns what went wrong as text. Node has no call for it. */
async function punch(path: string, bytes: number): Promise<string | null> {
  const options = { timeout: LIMITS.commandMsMax, killSignal: 'SIGKILL' } as const;
  try {
    await run('fallocate', ['--punch-hole', '--offset', '0', '--length', String(bytes), path], options);
    return null;
  } catch (error) {
    return `cannot free the first ${bytes} bytes of ${path}: ${reasonOf(error)}`;
  }
}

function reasonOf(error: unknown): string {
  if (errnoOf(error) === 'ENOENT') return 'fallocate (of util-linux) is not installed';
  if (!(error instanceof Error)) return String(error);
  if ('killed' in error && error.killed === true) return `fallocate took longer than ${LIMITS.commandMsMax} ms`;
  const words = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return words === '' ? error.message : words;
}
