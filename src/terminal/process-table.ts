import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { monotonicMs } from '../base/clock.ts';
import { readIfAllowed, readKernelFile } from './small-file.ts';

/** Identifies one process: a pid alone is reused after a while. */
export interface Identity {
  readonly pid: number;
  /** Its start time, as the kernel prints it. */
  readonly start: string;
  /** The boot it runs in. */
  readonly boot: string;
}

/** One process as the kernel lists it. */
export interface ProcessRow extends Identity {
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not report it. */
  readonly session: number;
  readonly zombie: boolean;
}

/** The processes of this machine. */
export interface ProcessTable {
  boot(): string;
  row(pid: number): ProcessRow | null;
  rows(): ProcessRow[];
  /** OUTLAST_RUN of each process that has it and whose environment we may read. */
  markers(pids: readonly number[]): ReadonlyMap<number, string>;
  /** OUTLAST_STATE of each process that has it and whose environment we may read. */
  states(pids: readonly number[]): ReadonlyMap<number, string>;
  /** All pids, in pieces small enough to be checked quickly. */
  pieces(): readonly (readonly number[])[];
  /** Its arguments, or its name in brackets. */
  words(pid: number): string;
}

const MARK = 'OUTLAST_RUN=';
const STATE = 'OUTLAST_STATE=';

/** PF_KTHREAD in the flags of a process. */
const KERNEL_THREAD = 0x0020_0000;

/** Reading the environments of this many processes takes about a millisecond. */
const PIECE_MAX = 32;

/** The table of this machine: /proc where there is one, else ps. */
export function systemTable(): ProcessTable {
  table ??= existsSync('/proc/self/stat') ? procTable() : psTable();
  return table;
}

let table: ProcessTable | null = null;

/** Reading the table is most of the cost of ending a run. Runs that end at the same time share one reading. */
export const SHARED_MS = 20;

interface Shot {
  readonly count: number;
  readonly atMs: number;
  readonly rows: ProcessRow[];
  readonly markers: ReadonlyMap<number, string>;
}

let shot: Shot | null = null;

/** How often the shared table has been read. */
export function tableReads(): number {
  return shot?.count ?? 0;
}

/**
 * The table, at most a few milliseconds old, and read after the given number of reads. A single process is always
 * looked up directly, and so before every signal.
 */
export function sharedTable(afterReads = 0): ProcessTable {
  const system = systemTable();
  const recent = (): Shot => {
    if (shot === null || monotonicMs() - shot.atMs > SHARED_MS || shot.count <= afterReads) {
      const rows = system.rows();
      const markers = system.markers(rows.map(({ pid }) => pid));
      // Counted from the end of reading: with many processes, reading alone takes longer than that.
      shot = { count: tableReads() + 1, atMs: monotonicMs(), rows, markers };
    }
    return shot;
  };
  return { ...system, rows: () => recent().rows, markers: () => recent().markers };
}

/** The process table from /proc. */
export function procTable(): ProcessTable {
  const boot = readBoot();
  const fieldsOf = (pid: number): string[] | null => {
    const stat = readKernelFile(`/proc/${pid}/stat`)?.toString('latin1');
    // The name in parentheses may contain anything, also parentheses.
    return stat ? stat.slice(stat.lastIndexOf(')') + 2).split(' ') : null;
  };
  const row = (pid: number): ProcessRow | null => {
    const fields = fieldsOf(pid);
    return fields && rowOf(pid, fields, boot);
  };
  // Half of the processes on many machines are kernel threads, which have neither an environment nor children of ours.
  const userRow = (pid: number): ProcessRow[] => {
    const fields = fieldsOf(pid);
    return fields === null || (Number(fields[6]) & KERNEL_THREAD) !== 0 ? [] : [rowOf(pid, fields, boot)];
  };
  const pids = (): number[] => readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  const variable = (name: string, among: readonly number[]): Map<number, string> =>
    new Map(among.flatMap((pid) => valueIn(pid, readKernelFile(`/proc/${pid}/environ`), name)));
  return {
    boot: () => boot,
    row,
    rows: () => pids().flatMap(userRow),
    markers: (among) => variable(MARK, among),
    states: (among) => variable(STATE, among),
    pieces: () => {
      const all = pids();
      const count = Math.ceil(all.length / PIECE_MAX);
      return Array.from({ length: count }, (_, i) => all.slice(i * PIECE_MAX, (i + 1) * PIECE_MAX));
    },
    words: (pid) => {
      const words = readIfAllowed(`/proc/${pid}/cmdline`)?.toString('utf8').replaceAll('\0', ' ').trim();
      return words || `[${readIfAllowed(`/proc/${pid}/comm`)?.toString('utf8').trim() ?? 'gone'}]`;
    },
  };
}

/** The process table from ps, for systems without /proc. */
export function psTable(): ProcessTable {
  const boot = readBoot();
  const rows = (...which: string[]): ProcessRow[] =>
    ps(...which, '-o', 'pid=,ppid=,pgid=,sess=,stat=,lstart=').flatMap((line) => parsePs(line, boot));
  const variable = (name: string, pids: readonly number[]): Map<number, string> => {
    const plain = new Map(ps('axww', '-o', 'pid=,command=').map(splitPid));
    const wanted = new Set(pids);
    return new Map(
      ps('axeww', '-o', 'pid=,command=')
        .map(splitPid)
        .filter(([pid]) => wanted.has(pid))
        // The environment follows the arguments, and an argument is not a run marker.
        .flatMap(([pid, all]) =>
          valueIn(pid, Buffer.from(afterArguments(all, plain.get(pid)).replaceAll(' ', '\0')), name),
        ),
    );
  };
  return {
    boot: () => boot,
    row: (pid) => rows('-p', String(pid))[0] ?? null,
    rows: () => rows('-A'),
    markers: (pids) => variable(MARK, pids),
    states: (pids) => variable(STATE, pids),
    // It costs the same for one process and for all.
    pieces: () => [rows('-A').map(({ pid }) => pid)],
    words: (pid) => ps('-ww', '-p', String(pid), '-o', 'command=')[0]?.trim() || '[gone]',
  };
}

function rowOf(pid: number, fields: readonly string[], boot: string): ProcessRow {
  const number = (index: number): number => Number(fields[index] ?? 0);
  const zombie = fields[0] === 'Z' || fields[0] === 'X';
  return { pid, start: fields[19] ?? '', boot, parent: number(1), group: number(2), session: number(3), zombie };
}

function parsePs(line: string, boot: string): ProcessRow[] {
  const [pid, parent, group, session, state, ...start] = line.trim().split(/\s+/);
  if (!state || start.length === 0) return [];
  return [
    {
      pid: Number(pid),
      start: start.join('_'),
      boot,
      parent: Number(parent),
      group: Number(group),
      // macOS prints an address here.
      session: /^\d+$/.test(session ?? '') ? Number(session) : 0,
      zombie: state.startsWith('Z'),
    },
  ];
}

/** The value of a variable; its name is given with the equals sign. */
function valueIn(pid: number, environment: Buffer | null, name: string): [number, string][] {
  if (environment === null || !environment.includes(name)) return [];
  const text = `\0${environment.toString('utf8')}\0`;
  const at = text.indexOf(`\0${name}`);
  if (at < 0) return [];
  const from = at + 1 + name.length;
  return [[pid, text.slice(from, text.indexOf('\0', from))]];
}

function splitPid(line: string): [number, string] {
  const match = /^\s*(\d+)\s(.*)$/.exec(line);
  return [Number(match?.[1] ?? 0), match?.[2] ?? ''];
}

function afterArguments(all: string, plain: string | undefined): string {
  return plain !== undefined && all.startsWith(plain) ? all.slice(plain.length) : '';
}

function readBoot(): string {
  const boot = readIfAllowed('/proc/sys/kernel/random/boot_id')?.toString('utf8').trim();
  return boot || run('sysctl', ['-n', 'kern.bootsessionuuid']).trim() || 'none';
}

function ps(...words: string[]): string[] {
  return run('ps', words).split('\n').filter(Boolean);
}

/** The output of a program, empty when it fails: ps fails when it has no such process. */
function run(program: string, words: readonly string[]): string {
  try {
    const options = { encoding: 'utf8', env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' } } as const;
    return execFileSync(program, words, {
      ...options,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch {
    return '';
  }
}
