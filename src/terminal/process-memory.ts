import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { PROGRAM_PATH } from './programs.ts';
import { readIfAllowed } from './small-file.ts';

/**
 * The memory of these processes together, in bytes. Shared memory is separated only when the plain sum exceeds the
 * limit: that takes the kernel a hundred times as long.
 */
export function processMemory(pids: readonly number[], boundBytes: number): number {
  if (pids.length === 0) return 0;
  if (!hasProc) return psBytes(pids);
  const plain = sum(pids, (pid) => fieldBytes(`/proc/${pid}/status`, 'VmRSS') ?? 0);
  if (plain <= boundBytes) return plain;
  return sum(pids, (pid) => fieldBytes(`/proc/${pid}/smaps_rollup`, 'Pss') ?? 0) || plain;
}

const hasProc = existsSync('/proc/self/status');

/** The memory of processes according to ps, for systems without /proc. Shared memory counts for each of them. */
export function psBytes(pids: readonly number[]): number {
  try {
    const words = ['-o', 'rss=', '-p', pids.join(',')];
    const env = { PATH: PROGRAM_PATH, LC_ALL: 'C' };
    const listed = execFileSync('ps', words, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] });
    return sum(listed.split('\n'), (line) => Number.parseInt(line, 10) * 1024 || 0);
  } catch {
    return 0; // ps fails when all of them are gone.
  }
}

function fieldBytes(path: string, name: string): number | null {
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readQuietly(path)) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** A process may be gone, or belong to another user, by the time it is read. */
function readQuietly(path: string): string {
  return readIfAllowed(path)?.toString('latin1') ?? '';
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
