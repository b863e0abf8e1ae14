import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import type { Claimed, Files, ProcessFacts } from '../agent/seam/conversations.ts';
import { errnoOf } from '../base/errors.ts';
import { identityOf, isAlive } from '../terminal/processes.ts';

/** What agents write in small files is never this large. */
const TEXT_BYTES_MAX = 32 * 1024 * 1024;

/** The files of this machine. What is gone or not for us to see is not there. */
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
  return unlessUnreadable(() => readdirSync(folder), []);
}

function text(path: string): string | null {
  return unlessUnreadable(() => (statSync(path).size > TEXT_BYTES_MAX ? null : readFileSync(path, 'utf8')), null);
}

function linkOf(path: string): string | null {
  return unlessUnreadable(() => readlinkSync(path), null);
}

const EXHAUSTED: readonly string[] = ['EMFILE', 'ENFILE', 'ENOMEM'];

/**
 * What `read` gives, or the other value when the file is gone or not for us to see. Out of descriptors or memory it
 * throws: a process that we could not look at may have the conversation open.
 */
export function unlessUnreadable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (EXHAUSTED.includes(errnoOf(error))) throw error;
    return otherwise;
  }
}
