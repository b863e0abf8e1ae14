import { closeSync, fstatSync, readdirSync, readFileSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;

/**
 * Closes pipes and sockets that were inherited by accident. If the daemon and its runs held a pipe of the caller open,
 * it would never end: `$(outlast exec --background …)` must return. What Node itself opens has close-on-exec set,
 * except for files that it reads at its start, in a thread of its own: so files are not closed.
 */
export function closeInheritedFds(): void {
  for (const name of foldersOf('/proc/self/fd')) {
    const fd = Number(name);
    if (fd > 2 && isInherited(fd)) closeQuietly(fd);
  }
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0 && !fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

function foldersOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // This was the descriptor of the folder listing.
  }
}
