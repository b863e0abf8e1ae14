import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { promisify } from 'node:util';
import { LIMITS } from '../base/limits.ts';
import { runIdentities } from './look.ts';
import { isAlive, members } from './processes.ts';
import { runName } from './run-folder.ts';
import type { RunRef } from './terminal.ts';

/** Who listens on a port or a socket. ours: only processes of the run; `key` changes when the listeners change. */
export type Listeners = { readonly is: 'none' | 'foreign' } | { readonly is: 'ours'; readonly key: string };

/** Whether a loopback port is listened on by a run, and by no other process. */
export async function portListeners(state: string, ref: RunRef, port: number): Promise<Listeners> {
  if (!existsSync('/proc/net/tcp')) return listedListeners(state, ref, port);
  return judged(
    state,
    ref,
    ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => tcpInodes(table, port)),
  );
}

/**
 * Whether a Unix socket is listened on by a run. Where the system does not say, the private folder it lies in is
 * enough.
 */
export function socketListeners(state: string, ref: RunRef, path: string): Listeners {
  if (!existsSync(path)) return { is: 'none' };
  if (!existsSync('/proc/net/unix')) return { is: 'ours', key: path };
  // An agent may put its socket elsewhere, and a link to it in the folder of the run.
  return judged(state, ref, unixInodes(realpathSync(path)));
}

function judged(state: string, ref: RunRef, inodes: readonly string[]): Listeners {
  if (inodes.length === 0) return { is: 'none' };
  const { command } = runIdentities(state, ref);
  const isHeld = (pids: readonly number[]): boolean => {
    const held = new Set(pids.flatMap(socketsOf));
    return inodes.every((inode) => held.has(inode));
  };
  // Most agents listen themselves; a search for their children reads every process.
  const own = command !== null && isAlive(command) ? [command.pid] : [];
  const isOurs = isHeld(own) || isHeld(membersOf(state, ref));
  return isOurs ? { is: 'ours', key: inodes.toSorted().join(' ') } : { is: 'foreign' };
}

function membersOf(state: string, ref: RunRef): number[] {
  const roots = Object.values(runIdentities(state, ref)).filter((identity) => identity !== null);
  return members(runName(ref), roots).map(({ pid }) => pid);
}

/** Columns: number, local address, remote address, state, …, inode as the tenth. 0A: it listens. */
function tcpInodes(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return rowsOf(table).flatMap((row) => (row[1]?.endsWith(`:${wanted}`) && row[3] === '0A' ? [row[9] ?? ''] : []));
}

/** Columns: address, references, protocol, flags, type, state, inode, path. The flag marks a listener. */
function unixInodes(path: string): string[] {
  return rowsOf('/proc/net/unix').flatMap((row) =>
    row[3] === '00010000' && row.slice(7).join(' ') === path ? [row[6] ?? ''] : [],
  );
}

function rowsOf(table: string): string[][] {
  if (!existsSync(table)) return [];
  return readFileSync(table, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
}

/** The inodes of the sockets that a process has open. It may be gone by now. */
function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${name}`)) ?? [];
      return inode === undefined ? [] : [inode];
    });
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

const run = promisify(execFile);

/** For systems without /proc. */
async function listedListeners(state: string, ref: RunRef, port: number): Promise<Listeners> {
  const words = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-F', 'p'];
  const options = { timeout: LIMITS.commandMsMax, killSignal: 'SIGKILL' } as const;
  const { stdout } = await run('lsof', words, options).catch(() => ({ stdout: '' }));
  const pids = stdout.split('\n').flatMap((line) => (line.startsWith('p') ? [Number(line.slice(1))] : []));
  if (pids.length === 0) return { is: 'none' };
  const ours = membersOf(state, ref);
  return pids.every((pid) => ours.includes(pid)) ? { is: 'ours', key: pids.join(' ') } : { is: 'foreign' };
}
