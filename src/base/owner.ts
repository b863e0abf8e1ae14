import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './files.ts';

/** The daemon that has the lock of a state folder. */
export interface Owner {
  readonly pid: number;
  /** Stopped by a signal, as Ctrl-Z and `kill -STOP` do: it runs no code until it is continued. */
  readonly isStopped: boolean;
}

/** The file that says which process has the lock; read by a client whose socket gets no answer. */
export function ownerFile(state: string): string {
  return join(state, 'daemon.pid');
}

/** Records that this process has the lock. Called right after taking it. */
export function signOwner(state: string): void {
  const own = statOf('self');
  if (own !== null) writeWhole(ownerFile(state), `${process.pid} ${own.start} ${boot()}\n`);
}

/**
 * The living daemon that signed last; null when it is gone, or the system does not say. Start time and boot must match,
 * so a process that got the same pid later is not mistaken for it.
 */
export function ownerOf(state: string): Owner | null {
  const [, pid, start, signedBoot] = /^([1-9]\d{0,9}) (\d+) (\S+)\n$/.exec(readText(ownerFile(state))) ?? [];
  if (pid === undefined || signedBoot !== boot()) return null;
  const stat = statOf(pid);
  if (stat === null || stat.start !== start || stat.state === 'Z' || stat.state === 'X') return null;
  return { pid: Number(pid), isStopped: stat.state === 'T' };
}

function statOf(pid: string): { readonly state: string; readonly start: string } | null {
  const stat = readText(`/proc/${pid}/stat`);
  // The name in parentheses may contain anything, also parentheses.
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [words[0], words[19]];
  return state && start ? { state, start } : null;
}

function boot(): string {
  return readText('/proc/sys/kernel/random/boot_id').trim();
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
