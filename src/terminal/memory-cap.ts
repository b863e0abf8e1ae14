import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { run } from '../base/spawn.ts';
import { causeText } from '../base/system-errors.ts';
import type { Cap } from '../core/launch.ts';
import { GROUP_FILES, hasMemory, type OwnGroups, ownGroups, scopeArgv } from './cgroup.ts';
import { PROGRAM_PATH } from './programs.ts';
import { runFolder, runName } from './run-folder.ts';
import { readIfAllowed } from './small-file.ts';
import type { RunRef } from './terminal.ts';

/** How the kernel limits the memory of runs on this system. */
export interface MemoryCaps {
  /** Creates the limit for a run that is about to start; undefined where the kernel offers none. */
  capFor(ref: RunRef, bytes: number): Cap | undefined;
  /** Removes the limit of a run whose processes are gone. */
  release(ref: RunRef): void;
  /** Which kind of limit is used, and why not a better one. */
  told(): Promise<{ readonly kind: Kind; readonly detail: string }>;
}

type Kind = 'scope' | keyof OwnGroups | 'watch';

interface Way {
  readonly kind: Kind;
  /** The folder in which groups are made, or the program that makes scopes. */
  readonly where: string;
}

/** What memoryCaps needs. */
export interface CapParts {
  readonly state: string;
  readonly clock: Clock;
  /** False: the kernel is not used. */
  readonly isWanted: boolean;
}

const PROBE_MS_MAX = 3_000;
const PROBE_BYTES = 64 * 1024 ** 2;
const NAMES: Readonly<Record<Kind, string>> = {
  scope: 'a systemd scope',
  v2: 'cgroup v2',
  v1: 'cgroup v1',
  watch: 'a check every five seconds',
};

/** Finds out what the system can do by trying it. Whether systemd answers is known a moment later. */
export function memoryCaps({ state, clock, isWanted }: CapParts): MemoryCaps {
  // Other daemons may share the folder; we remove only our own groups.
  const prefix = `outlast-${createHash('sha256').update(state).digest('hex').slice(0, 8)}-`;
  const reasons: string[] = [];
  let way = isWanted ? groupWay(prefix, reasons) : watching(reasons, 'the config says so');
  if (way.kind !== 'watch') sweep(way.where, prefix);
  const probed = isWanted ? probeScope(clock, prefix, reasons) : Promise.resolve(null);
  void probed.then((scope) => {
    way = scope ?? way;
  });
  return {
    capFor: (ref, bytes) => capOf(way, { state, ref, bytes, prefix }),
    release: (ref) => {
      const group = readIfAllowed(runFolder(state, ref).cgroup)?.toString('utf8').trim();
      if (group) quietly(() => rmdirSync(group));
    },
    told: async () => {
      await probed;
      const why = reasons.length === 0 ? '' : `; ${reasons.join('; ')}`;
      return { kind: way.kind, detail: `enforced by ${NAMES[way.kind]}${way.where && ` (${way.where})`}${why}` };
    },
  };
}

interface Wish {
  readonly state: string;
  readonly ref: RunRef;
  readonly bytes: number;
  readonly prefix: string;
}

function capOf({ kind, where }: Way, { state, ref, bytes, prefix }: Wish): Cap | undefined {
  const unit = `${prefix}${runName(ref)}`;
  switch (kind) {
    case 'watch':
      return undefined;
    case 'scope':
      return { is: 'scope', argv: scopeArgv(where, { unit, bytes, isUser: !isRoot() }), env: busEnv() };
    default: {
      const path = join(where, unit);
      if (makeGroup(kind, path, bytes) !== null) return undefined;
      writeFileSync(runFolder(state, ref).cgroup, `${path}\n`, { mode: 0o600 });
      return { is: 'group', path };
    }
  }
}

/** Tries each kind of cgroup with one of our own. */
function groupWay(prefix: string, reasons: string[]): Way {
  const read = (path: string): string => readIfAllowed(path)?.toString('utf8') ?? '';
  leaveGroupOfRun(read);
  const own = ownGroups(read('/proc/self/cgroup'), read('/proc/self/mountinfo'));
  for (const kind of ['v2', 'v1'] as const) {
    const found = kind === 'v2' ? parentOf2(own.v2, read) : folderOf1(own.v1);
    const path = 'why' in found ? '' : join(found.where, `${prefix}probe`);
    const why = 'why' in found ? found.why : makeGroup(kind, path, PROBE_BYTES);
    quietly(() => rmdirSync(path));
    if (why === null && 'where' in found) return { kind, where: found.where };
    reasons.push(`${NAMES[kind]}: ${why}`);
  }
  return { kind: 'watch', where: '' };
}

/** A daemon that was started from inside a run must not be killed with it, nor count toward its limit. */
function leaveGroupOfRun(read: (path: string) => string): void {
  for (const folder of Object.values(ownGroups(read('/proc/self/cgroup'), read('/proc/self/mountinfo')))) {
    if (folder === null || !/^outlast-[0-9a-f]{8}-/.test(basename(folder))) continue;
    quietly(() => writeFileSync(join(dirname(folder), 'cgroup.procs'), String(process.pid)));
  }
}

type Found = { readonly where: string } | { readonly why: string };

function folderOf1(own: string | null): Found {
  return own === null ? { why: 'there is none for memory' } : { where: own };
}

/** A cgroup with processes cannot have child groups that limit memory, so ours lie beside it. */
function parentOf2(own: string | null, read: (path: string) => string): Found {
  if (own === null) return { why: 'there is none' };
  if (!hasMemory(read(join(own, 'cgroup.controllers')))) return { why: 'it cannot limit memory here' };
  if (existsSync('/run/systemd/system')) return { why: 'its groups are managed by systemd' };
  const where = [own, dirname(own)].find((folder) => hasMemory(read(join(folder, 'cgroup.subtree_control'))));
  return where === undefined ? { why: 'the memory control was not delegated to us' } : { where };
}

/** Null when the group exists with its limit, else the reason why not. */
function makeGroup(kind: keyof OwnGroups, path: string, bytes: number): string | null {
  const { limit, swap } = GROUP_FILES[kind];
  try {
    // It may exist already: a daemon may have died right after creating it.
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, limit), String(bytes));
    // Not every kernel accounts swap; without it the limit is softer, not wrong.
    quietly(() => writeFileSync(join(path, swap.file), swap.value(bytes)));
    accessSync(join(path, 'cgroup.procs'), constants.W_OK);
    return null;
  } catch (error) {
    quietly(() => rmdirSync(path));
    return `cannot create a group in ${dirname(path)}: ${causeText(error)}`;
  }
}

/** Removes groups of runs that ended while no daemon ran. The kernel refuses for those in use. */
function sweep(folder: string, prefix: string): void {
  const left = readdirSync(folder).filter((name) => name.startsWith(prefix));
  for (const name of left) quietly(() => rmdirSync(join(folder, name)));
}

function watching(reasons: string[], why: string): Way {
  reasons.push(why);
  return { kind: 'watch', where: '' };
}

async function probeScope(clock: Clock, prefix: string, reasons: string[]): Promise<Way | null> {
  const program = PROGRAM_PATH.split(delimiter)
    .map((folder) => join(folder, 'systemd-run'))
    .find((path) => existsSync(path));
  const no = (why: string): null => {
    reasons.unshift(`${NAMES.scope}: ${why}`);
    return null;
  };
  if (program === undefined || !existsSync('/run/systemd/system')) return no('systemd is not running here');
  const [first = program, ...rest] = scopeArgv(program, {
    unit: `${prefix}probe`,
    bytes: PROBE_BYTES,
    isUser: !isRoot(),
  });
  const env = { PATH: PROGRAM_PATH, ...busEnv() };
  const ran = await run([first, ...rest, 'true'], { clock, env, msMax: PROBE_MS_MAX });
  if (ran.end === 'exited' && ran.status === 0) return { kind: 'scope', where: program };
  return no(ran.end === 'exited' ? ran.stderr.trim().split('\n')[0] || `exit ${ran.status}` : `it is ${ran.end}`);
}

/** The environment that finds the user's systemd. */
function busEnv(): Record<string, string> {
  return isRoot() ? {} : { XDG_RUNTIME_DIR: `/run/user/${process.getuid?.()}` };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It is gone already, or in use.
  }
}
