import type { Clock } from '../base/clock.ts';
import { LIMITS } from '../base/limits.ts';
import { ageClaim, claimUnstarted } from './claim.ts';
import { exitStatus, runIdentities } from './look.ts';
import { type ProcessTable, SHARED_MS, sharedTable, systemTable } from './process-table.ts';
import { type Identity, isAlive, isSame, type Member, members, signal } from './processes.ts';
import { runFolder, runName } from './run-folder.ts';
import type { RunRef } from './terminal.ts';

/** How to end a run. */
export interface EndOptions {
  /** Time between the first signal and SIGKILL. 0: kill at once. */
  readonly graceMs: number;
  readonly clock: Clock;
  /** Aborts the ending: no further signal is sent. */
  readonly signal?: AbortSignal;
  /** The signal that asks the command to end. */
  readonly first?: NodeJS.Signals;
}

/** What is still running after the end: normally nothing. */
export interface Ended {
  readonly left: readonly Identity[];
}

const POLL_MS = 20;
/** Interval between two scans for processes that appeared in the meantime. */
const SCAN_MS = 200;
/** How long the launcher may take to write the exit of a command that is gone. */
const EXIT_MS_MAX = 2_000;

/**
 * Ends every process of a run. The command is asked first, so that it can take its children down itself; a third of
 * the grace later, or when the command is gone, all are asked; at the end of the grace all are killed. The launcher is
 * not signalled as long as it may still write the exit. Nothing counts as gone before two scans in a row found nothing.
 */
export async function endRun(state: string, ref: RunRef, options: EndOptions): Promise<Ended> {
  const { clock, graceMs, first = 'SIGTERM', signal: cut } = options;
  // A launcher that has not started yet must not start later.
  claimUnstarted(state, ref);
  const processes = new RunProcesses(state, ref, sharedTable());
  // A process with neither our run marker nor our process session can be found only while its parent lives: this scan
  // must be fresh.
  processes.scan(systemTable());
  const time: Time = { clock, isCut: () => cut?.aborted ?? false };
  const startMs = clock.steadyMs();
  if (graceMs > 0) {
    const { command } = runIdentities(state, ref);
    if (command && ask(command, first)) await gone([command], time, startMs + graceMs / 3);
    await askAll(processes, time, startMs + graceMs);
  }
  await killAll(processes, time, clock.steadyMs() + LIMITS.killMsMax);
  if (await endLauncher(state, ref, time)) await killAll(processes, time, clock.steadyMs() + LIMITS.killMsMax);
  const left = processes.scan();
  // A launcher may have been killed between its claim and its signature.
  if (left.length === 0 && !time.isCut()) ageClaim(state, ref);
  return { left };
}

interface Time {
  readonly clock: Clock;
  readonly isCut: () => boolean;
}

/** Interrupts the command as Ctrl-C would: the command and what is in its process group. */
export function interruptRun(state: string, ref: RunRef): boolean {
  const { command } = runIdentities(state, ref);
  const processes = runProcesses(state, ref);
  const group = processes.find((member) => member.pid === command?.pid)?.group;
  const interrupted = processes.filter((member) => member.group === group && signal(member, 'SIGINT'));
  return interrupted.length > 0;
}

/** Sends SIGHUP to the processes of a run, as the kernel does when a terminal goes away. */
export function hangUp(state: string, ref: RunRef): void {
  for (const member of runProcesses(state, ref)) ask(member, 'SIGHUP');
}

/** The processes of a run, except for the launcher and its helpers. */
export function runProcesses(state: string, ref: RunRef, table: ProcessTable = systemTable()): Member[] {
  return new RunProcesses(state, ref, table).scan();
}

/** The processes of one run. It remembers those it has seen, because an orphan cannot be found by its parent. */
class RunProcesses {
  readonly #state: string;
  readonly #ref: RunRef;
  readonly #table: ProcessTable;
  #seen: readonly Identity[] = [];

  constructor(state: string, ref: RunRef, table: ProcessTable) {
    this.#state = state;
    this.#ref = ref;
    this.#table = table;
  }

  scan(table: ProcessTable = this.#table): Member[] {
    const { launcher, command, keeper } = runIdentities(this.#state, this.#ref);
    const roots = [launcher, command, keeper, ...this.#seen].filter((identity) => identity !== null);
    const found = members(runName(this.#ref), roots, table);
    const starter = found.find((member) => isSame(member, launcher));
    // A child of the launcher that is not the command is mv, sync or the like: the exit depends on it. So does the
    // leader of a pty's session, which started the launcher: its end would hang up on them.
    const isOurs = (member: Member): boolean =>
      member === starter ||
      member.pid === starter?.parent ||
      isSame(member, keeper) ||
      (member.parent === starter?.pid && !isSame(member, command));
    const processes = found.filter((member) => !isOurs(member));
    this.#seen = processes;
    return processes;
  }
}

/** Signals each process once, also those that appear in the meantime, until none is left or the time is up. */
async function askAll(processes: RunProcesses, time: Time, deadlineMs: number): Promise<void> {
  const asked = new Set<string>();
  for (;;) {
    const present = processes.scan();
    if (present.length === 0 || time.isCut() || time.clock.steadyMs() >= deadlineMs) return;
    for (const member of present) {
      const key = `${member.pid} ${member.start}`;
      if (!asked.has(key)) ask(member, 'SIGTERM');
      asked.add(key);
    }
    // A scan reads the whole process table; checking whether known processes are gone is much cheaper.
    await gone(present, time, Math.min(deadlineMs, time.clock.steadyMs() + SCAN_MS));
  }
}

async function killAll(processes: RunProcesses, { clock, isCut }: Time, deadlineMs: number): Promise<void> {
  for (let empty = 0; !isCut(); ) {
    const present = processes.scan();
    for (const member of present) signal(member, 'SIGKILL');
    empty = present.length === 0 ? empty + 1 : 0;
    if (empty === 2 || clock.steadyMs() >= deadlineMs) return;
    // Processes that were forked while the table was read show up in a scan that starts after this wait.
    await clock.sleep(empty === 1 ? SHARED_MS + 2 : POLL_MS);
  }
}

/** Waits until the launcher has written the exit and is gone; true if it had to be killed. Ends the keeper first. */
async function endLauncher(state: string, ref: RunRef, time: Time): Promise<boolean> {
  if (time.isCut()) return false;
  const { launcher, keeper } = runIdentities(state, ref);
  if (keeper) signal(keeper, 'SIGKILL');
  const both = [launcher, keeper].filter((identity) => identity !== null);
  await gone(both, time, time.clock.steadyMs() + EXIT_MS_MAX);
  // With the exit written it is only syncing a folder, which a slow disk may make long.
  if (!launcher || time.isCut() || exitStatus(runFolder(state, ref)) !== null) return false;
  return signal(launcher, 'SIGKILL');
}

async function gone(identities: readonly Identity[], { clock, isCut }: Time, deadlineMs: number): Promise<void> {
  const isDue = (): boolean => isCut() || clock.steadyMs() >= deadlineMs;
  while (identities.some((identity) => isAlive(identity)) && !isDue()) await clock.sleep(POLL_MS);
}

/** A stopped process handles no signal; CONT wakes it. */
function ask(identity: Identity, name: NodeJS.Signals): boolean {
  const sent = signal(identity, name);
  if (sent) signal(identity, 'SIGCONT');
  return sent;
}
