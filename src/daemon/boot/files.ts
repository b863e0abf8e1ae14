import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, statSync } from 'node:fs';
import type { Files } from '../../agent/seam/conversations.ts';

/** What agents write in small files is never this large. */
const TEXT_BYTES_MAX = 32 * 1024 * 1024;

/** The files of this machine. What cannot be read is not there. */
export const realFiles: Files = { names, text };

/** The first bytes of a file, to the end of a line. */
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

/**
 * The processes that write to one of these files, or were started for one of these conversations; by path and by id, as
 * far as we may see it. Empty without /proc.
 */
export function openElsewhere(paths: ReadonlySet<string>, ids: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of names('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const id = conversationOf(text(`/proc/${name}/cmdline`) ?? '');
    if (id !== null && ids.has(id)) found.set(id, pid);
    for (const fd of names(`/proc/${name}/fd`)) {
      const path = linkOf(`/proc/${name}/fd/${fd}`);
      if (path !== null && paths.has(path) && isWritten(`/proc/${name}/fdinfo/${fd}`)) found.set(path, pid);
    }
  }
  return found;
}

/** The conversation an agent was started for. Our own command line names some too. */
function conversationOf(cmdline: string): string | null {
  const words = cmdline.split('\0');
  const at = words.findIndex((word) => word === '--resume' || word === '--session-id' || word === '-r');
  return at < 0 || words.includes('boot') ? null : (words[at + 1] ?? null);
}

/** A reader, such as `tail -f`, does not go on with a conversation. */
function isWritten(fdinfo: string): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(text(fdinfo) ?? '')?.[1];
  return flags === undefined || (Number.parseInt(flags, 8) & 3) !== 0;
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function text(path: string): string | null {
  try {
    return statSync(path).size > TEXT_BYTES_MAX ? null : readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
