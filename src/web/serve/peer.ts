import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { CallerProof } from '../../api/contract-approvals.ts';
import { letOthers } from '../../base/others.ts';

/** How many processes are looked through at once. */
const PIECE = 32;

/** How often new processes are looked for, when none was found: a connection can be handed to a child. */
const ROUNDS = 4;

/**
 * The processes at the other end of a loopback connection, as the kernel shows them: all that hold the socket. None
 * where the system does not say, for what comes from another machine, and for another user's process. `gone`: nobody
 * holds it any more, so nobody can say from where it came.
 */
export async function peersOf(socket: Socket): Promise<readonly CallerProof[] | 'gone'> {
  const inode = inodeOf(socket);
  if (inode === null || inode === 'gone') return inode ?? [];
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const pids = list('/proc').filter((name) => /^\d+$/.test(name) && !seen.has(name));
    const found = await processesWith(`socket:[${inode}]`, pids);
    if (found.length > 0) return found;
    if (inodeOf(socket) !== inode) return 'gone';
    for (const pid of pids) seen.add(pid);
  }
  return [];
}

/** An IPv4 address as the address of an IPv6 socket: a program may use one to reach it. */
const MAPPED = '0000000000000000FFFF0000';

function inodeOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string | 'gone' | null {
  // Both are unknown once the connection is closed.
  if (remoteAddress === undefined || localAddress === undefined) return 'gone';
  const theirs = `${hexOf(remoteAddress)}:${hexPort(remotePort)}`;
  const ours = `${hexOf(localAddress)}:${hexPort(localPort)}`;
  const isSix = remoteAddress.includes(':') && !isMapped(remoteAddress);
  const inode = isSix
    ? inodeIn('tcp6', theirs, ours)
    : (inodeIn('tcp', theirs, ours) ?? inodeIn('tcp6', `${MAPPED}${theirs}`, `${MAPPED}${ours}`));
  if (inode !== null) return inode;
  return isHere(remoteAddress, localAddress) && existsSync('/proc/net/tcp') ? 'gone' : null;
}

/** Is the other end on this machine? Then the kernel shows its socket, as long as a process has it open. */
function isHere(remote: string, local: string): boolean {
  return remote === local || remote === '::1' || /^(?:::ffff:)?127\./.test(remote);
}

/** The inode of the socket with these ends. The columns are: local, remote, state, queues, timer, …, inode. */
function inodeIn(file: 'tcp' | 'tcp6', local: string, remote: string): string | null {
  const lines = read(`/proc/net/${file}`).split('\n').slice(1);
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return fields.find((each) => each[1] === local && each[2] === remote && each[9] !== '0')?.[9] ?? null;
}

function isMapped(address: string): boolean {
  return address.startsWith('::ffff:') && address.includes('.');
}

/** An address as the kernel prints it: words of 32 bits in the order of this machine, little-endian everywhere here. */
function hexOf(address: string): string {
  const plain = isMapped(address) ? address.slice('::ffff:'.length) : address;
  const bytes = plain.includes(':') ? bytesOf6(plain) : plain.split('.').map(Number);
  const words = Array.from({ length: bytes.length / 4 }, (_, i) => bytes.slice(i * 4, i * 4 + 4).reverse());
  return words.flat().map(hexByte).join('');
}

function bytesOf6(address: string): number[] {
  const [head = '', rest = ''] = address.split('::');
  const bytes = (text: string): number[] =>
    text
      .split(':')
      .filter(Boolean)
      .flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255]);
  const [front, back] = [bytes(head), bytes(rest)];
  return [...front, ...Array.from({ length: 16 - front.length - back.length }, () => 0), ...back];
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0').toUpperCase();
}

function hexPort(port = 0): string {
  return port.toString(16).padStart(4, '0').toUpperCase();
}

async function processesWith(link: string, pids: readonly string[]): Promise<CallerProof[]> {
  const found: CallerProof[] = [];
  for (let at = 0; at < pids.length; at += PIECE) {
    for (const pid of pids.slice(at, at + PIECE)) if (holds(pid, link)) found.push(proofOf(pid));
    await letOthers();
  }
  return found;
}

function holds(pid: string, link: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return list(folder).some((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`) === link;
    } catch {
      return false;
    }
  });
}

function proofOf(pid: string): CallerProof {
  return { pid: Number(pid), start: statOf(pid)[19] ?? null, run: null };
}

/** Does a process still run? One that has exited, but was not waited for, no longer shows where it ran. */
export function isAlive({ pid, start }: CallerProof): boolean {
  const stat = statOf(String(pid));
  return start !== null && stat[19] === start && stat[0] !== 'Z' && stat[0] !== 'X';
}

/** What the kernel says of a process, from its state on. */
function statOf(pid: string): string[] {
  const stat = read(`/proc/${pid}/stat`);
  // The name in parentheses may contain anything, also parentheses.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
