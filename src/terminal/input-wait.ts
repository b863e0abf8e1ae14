import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf } from '../base/errors.ts';
import type { RunFolder } from './run-folder.ts';
import { readIfAllowed } from './small-file.ts';

/** A program that asks prints its question and then stays silent. A shorter silence is a pause. */
const ASKING_MS = 2_000;

/** The number of read(2) on Linux. */
const READ: Readonly<Record<string, string>> = { x64: '0', arm64: '63' };

/**
 * Does a command seem to wait for input? Either the kernel says that it reads its standard input, or it has printed the
 * beginning of a line, as a question does, and been silent since. This is a guess.
 */
export function seemsToWait(files: Pick<RunFolder, 'output'>, pid: number, wallMs: number): boolean {
  return isReadingInput(pid) || isAsking(files.output, wallMs);
}

/** Without permission to look, or without /proc, the answer is no. */
function isReadingInput(pid: number): boolean {
  const call = readIfAllowed(`/proc/${pid}/syscall`)?.toString('latin1') ?? '';
  return call.startsWith(`${READ[process.arch]} 0x0 `);
}

function isAsking(output: string, wallMs: number): boolean {
  let file: number;
  try {
    file = openSync(output, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
  try {
    const { size, mtimeMs } = fstatSync(file);
    if (size === 0 || wallMs - mtimeMs < ASKING_MS) return false;
    const last = Buffer.alloc(1);
    readSync(file, last, 0, 1, size - 1);
    return last[0] !== LF && last[0] !== CR;
  } finally {
    closeSync(file);
  }
}

const LF = 10;
const CR = 13;
