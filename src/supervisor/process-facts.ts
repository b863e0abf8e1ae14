import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import type { Claimed, Files, ProcessFacts } from '../agent/seam/conversations.ts';
import { errnoOf } from '../base/errors.ts';
import { uptimeMs } from '../base/uptime.ts';
import { identityOf, isAlive } from '../terminal/processes.ts';
import { firstText } from './first-text.ts';

/** Small state files of agents never reach this size. */
const TEXT_BYTES_MAX = 32 * 1024 * 1024;
/** The first line of a conversation that says which one it is. */
const FIRST_BYTES_MAX = 4 * 1024;

/** The files of this machine. A missing or inaccessible one is empty. */
export const realFiles: Files = { names, text, first: (path) => firstText(path, FIRST_BYTES_MAX) };

/** The kernel counts start times in hundredths of a second. */
const TICK_MS = 10;

/**
 * The other processes of this machine, as far as we may see them: their arguments, their folder, their age and the
 * files they write if `isWriter` says that they matter, and the conversations that they claim to have open. Without
 * /proc only the last.
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
    const isAsked = isWriter(argv);
    const cwd = isAsked ? linkOf(`/proc/${pid}/cwd`) : null;
    const facts = { pid, argv, cwd, ageMs: isAsked ? ageOf(pid) : null };
    return {
      ...facts,
      writes: isAsked ? writesOf(pid) : [],
      claims: claimsOf(pid),
      get env() {
        return isAsked ? envOf(pid) : null;
      },
    };
  });
}

function ageOf(pid: number): number | null {
  const ticks = Number(identityOf(pid)?.start ?? Number.NaN);
  return Number.isFinite(ticks) ? Math.max(0, uptimeMs() - ticks * TICK_MS) : null;
}

function envOf(pid: number): Readonly<Record<string, string>> | null {
  // The file is empty also for a process that may not be looked at, or that has ended.
  const words = unlessUnreadable(() => readFileSync(`/proc/${pid}/environ`, 'utf8'), '')
    .split('\0')
    .slice(0, -1);
  if (words.length === 0) return null;
  return Object.fromEntries(words.map((word) => [word.split('=', 1)[0] ?? '', word.slice(word.indexOf('=') + 1)]));
}

/** The process that claimed a conversation, if it still runs. */
export function claimantOf({ pid, start }: Claimed['claim']): number | null {
  const identity = identityOf(pid);
  if (identity === null) return null;
  // Without its start time a pid proves nothing, but it is not a reason to start a second process either.
  return isAlive({ ...identity, start: start ?? identity.start }) ? pid : null;
}

/** The files that a process has open for writing. A reader, such as `tail -f`, does not continue a conversation. */
export function writesOf(pid: number): string[] {
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
 * The result of `read`, or the other value if the file is gone or inaccessible. Out of descriptors or memory it throws:
 * an unchecked process may have the conversation open.
 */
export function unlessUnreadable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (EXHAUSTED.includes(errnoOf(error))) throw error;
    return otherwise;
  }
}
