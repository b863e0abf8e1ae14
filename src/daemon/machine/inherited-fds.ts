import { closeSync, fstatSync, readdirSync, readFileSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;

/**
 * Closes the pipes and sockets that our starter had open and did not mean for us. Held open here and in every run, a
 * pipe of the caller's would never end: `$(outlast exec --background …)` must return. What Node itself opens is marked
 * close-on-exec, but for files that it reads at its start, in a thread of its own: files are left alone.
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
    // It was the one that listed the folder.
  }
}
