import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import type { Claimed, Files, ProcessFacts } from '../agent/seam/conversations.ts';
import { identityOf, isAlive } from '../terminal/processes.ts';

/** What agents write in small files is never this large. */
const TEXT_BYTES_MAX = 32 * 1024 * 1024;

/** The files of this machine. What cannot be read is not there. */
export const realFiles: Files = { names, text };

/**
 * The processes of this machine but us, as far as we may see them: what each was started with, what it writes to where
 * `isWriter` says that it may matter, and which conversations it says it has open. Without /proc the last alone.
 */
export function processFacts(
  claimed: readonly Claimed[],
  isWriter: (argv: readonly string[]) => boolean,
): ProcessFacts[] {
  const alive = claimed.filter(({ claim }) => claimantOf(claim) !== null);
  const claimsOf = (pid: number): string[] =>
    alive.flatMap(({ claim, conversation }) => (claim.pid === pid ? [conversation] : []));
  const pids = new Set([
    ...alive.map(({ claim }) => claim.pid),
    ...names('/proc').map(Number).filter(Number.isInteger),
  ]);
  pids.delete(process.pid);
  return [...pids].map((pid) => {
    const argv = (text(`/proc/${pid}/cmdline`) ?? '').split('\0').slice(0, -1);
    return { pid, argv, writes: isWriter(argv) ? writesOf(pid) : [], claims: claimsOf(pid) };
  });
}

/** The very process that claimed a conversation, if it still runs. */
export function claimantOf({ pid, start }: Claimed['claim']): number | null {
  const identity = identityOf(pid);
  if (identity === null) return null;
  // Without its start a number proves nothing, but it is no reason to start a second one either.
  return isAlive({ ...identity, start: start ?? identity.start }) ? pid : null;
}

/** A reader, such as `tail -f`, does not go on with a conversation. */
function writesOf(pid: number): string[] {
  return names(`/proc/${pid}/fd`).flatMap((fd) => {
    const path = linkOf(`/proc/${pid}/fd/${fd}`);
    return path?.startsWith('/') && isWritten(`/proc/${pid}/fdinfo/${fd}`) ? [path] : [];
  });
}

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
