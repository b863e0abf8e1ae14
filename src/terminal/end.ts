import type { Clock } from '../base/clock.ts';
import { LIMITS } from '../base/limits.ts';
import { ageClaim, claimForNobody } from './claim.ts';
import { exitStatus, runIdentities } from './look.ts';
import { type ProcessTable, SHARED_MS, sharedTable, systemTable } from './process-table.ts';
import { type Identity, isAlive, isSame, type Member, members, signal } from './processes.ts';
import { runFolder, runName } from './run-folder.ts';
import type { RunRef } from './terminal.ts';

/** How to end a run. */
export interface EndOptions {
  /** From the request to the end by force. 0: by force at once. */
  readonly graceMs: number;
  readonly clock: Clock;
  /** Cuts it short: nothing more is signalled. */
  readonly signal?: AbortSignal;
  /** What asks the command to end. */
  readonly first?: NodeJS.Signals;
}

/** What was there after all: normally nothing. */
export interface Ended {
  readonly left: readonly Identity[];
}

const POLL_MS = 20;
/** Between two scans for processes that appeared meanwhile. */
const SCAN_MS = 200;
/** For the launcher to write the exit of a command that is gone. */
const EXIT_MS_MAX = 2_000;

/**
 * Ends every process of a run. The command is asked first, so that it can take its children down itself; a third of
 * the grace later, or when the command is gone, all are asked; at the end of the grace all are killed. The launcher is
 * not signalled as long as it may still write the exit. Nothing counts as gone before two scans in a row found nothing.
 */
export async function endRun(state: string, ref: RunRef, options: EndOptions): Promise<Ended> {
  const { clock, graceMs, first = 'SIGTERM', signal: cut } = options;
  // A launcher that has not started yet must not start later.
  claimForNobody(state, ref);
  const company = new Company(state, ref, sharedTable());
  // Whoever has neither our mark nor our session can be found only while its parent lives: this look must be fresh.
  company.scan(systemTable());
  const time: Time = { clock, isCut: () => cut?.aborted ?? false };
  const startMs = clock.steadyMs();
  if (graceMs > 0) {
    const { command } = runIdentities(state, ref);
    if (command && ask(command, first)) await gone([command], time, startMs + graceMs / 3);
    await askAll(company, time, startMs + graceMs);
  }
  await killAll(company, time, clock.steadyMs() + LIMITS.killMsMax);
  if (await endLauncher(state, ref, time)) await killAll(company, time, clock.steadyMs() + LIMITS.killMsMax);
  const left = company.scan();
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
  const company = leftOf(state, ref);
  const group = company.find((member) => member.pid === command?.pid)?.group;
  const interrupted = company.filter((member) => member.group === group && signal(member, 'SIGINT'));
  return interrupted.length > 0;
}

/** Tells the processes of a run that their terminal is gone, as the kernel would. */
export function hangUp(state: string, ref: RunRef): void {
  for (const member of leftOf(state, ref)) ask(member, 'SIGHUP');
}

/** The processes of a run, besides the launcher and what works for it. */
export function leftOf(state: string, ref: RunRef, table: ProcessTable = systemTable()): Member[] {
  return new Company(state, ref, table).scan();
}

/** The processes of one run. It remembers whom it has seen, because an orphan cannot be found by its parent. */
class Company {
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
    const company = found.filter((member) => !isOurs(member));
    this.#seen = company;
    return company;
  }
}

/** Asks each process once, also those that appear meanwhile, until none is left or the time is over. */
async function askAll(company: Company, time: Time, deadlineMs: number): Promise<void> {
  const asked = new Set<string>();
  for (;;) {
    const present = company.scan();
    if (present.length === 0 || time.isCut() || time.clock.steadyMs() >= deadlineMs) return;
    for (const member of present) {
      const key = `${member.pid} ${member.start}`;
      if (!asked.has(key)) ask(member, 'SIGTERM');
      asked.add(key);
    }
    // A scan reads the whole process table; whether these are gone is much cheaper to see.
    await gone(present, time, Math.min(deadlineMs, time.clock.steadyMs() + SCAN_MS));
  }
}

async function killAll(company: Company, { clock, isCut }: Time, deadlineMs: number): Promise<void> {
  for (let empty = 0; !isCut(); ) {
    const present = company.scan();
    for (const member of present) signal(member, 'SIGKILL');
    empty = present.length === 0 ? empty + 1 : 0;
    if (empty === 2 || clock.steadyMs() >= deadlineMs) return;
    // What was forked while we read the table is older than a scan that starts after this.
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

/** A stopped process cannot answer; CONT wakes it. */
function ask(identity: Identity, name: NodeJS.Signals): boolean {
  const sent = signal(identity, name);
  if (sent) signal(identity, 'SIGCONT');
  return sent;
}
