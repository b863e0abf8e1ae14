import { type Stats, statSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import type { TerminalSnapshot } from '../core/snapshot.ts';
import { signalOf } from './exit-status.ts';
import { type Identity, isAlive, marked, parseIdentity } from './processes.ts';
import { type RunFolder, runFolder, runName } from './run-folder.ts';
import { readIfThere } from './small-file.ts';
import type { RunRef } from './terminal.ts';

type Alive = Extract<TerminalSnapshot, { is: 'alive' }>;

/** What the terminal knows and the run folder does not. */
export interface LookExtras {
  readonly clock: Clock;
  /** For a run that is alive; ok unless the terminal knows better. */
  readonly sink?: Alive['sink'];
  /** For a run that is dead; true unless the terminal knows better. */
  readonly drained?: boolean;
  /** For a run that is dead; false unless the terminal knows better. */
  readonly terminalGone?: boolean;
}

/** The identities of a run's processes, from its folder. A missing or incomplete file is null. */
export interface RunIdentities {
  readonly launcher: Identity | null;
  readonly command: Identity | null;
  readonly keeper: Identity | null;
  readonly holder: Identity | null;
}

/** How long a claimed run may be without the identity of its launcher. */
const CLAIM_MS_MAX = 2_000;

/** What the run folder and the processes named in it show; common to all terminals. */
export function lookAtRun(state: string, ref: RunRef, extras: LookExtras): TerminalSnapshot {
  const files = runFolder(state, ref);
  const before = lookForExit(files, extras);
  if (before) return before;
  const claim = stat(files.claim);
  if (!claim) return { is: 'absent' };
  const pid = livingPid(files, runName(ref), claim, extras.clock);
  // It may have ended while we looked.
  const after = lookForExit(files, extras);
  if (after) return after;
  const output = stat(files.output);
  const outputBytes = output?.size ?? 0;
  if (pid === null) return { is: 'lost', outputBytes };
  // One stat each: every live run is looked at again and again.
  const both = [output, stat(files.stderr)];
  const printed = both.map((file) => `${file?.size}@${file?.mtimeMs}`).join(' ');
  const quiet = quietMs(both, extras.clock);
  return { is: 'alive', pid, quietMs: quiet, printed, outputBytes, sink: extras.sink ?? 'ok' };
}

/** Reads the identities of the launcher, the command and their helpers. */
export function runIdentities(state: string, ref: RunRef): RunIdentities {
  return readIdentities(runFolder(state, ref));
}

/** The status in a run's exit file, or null while there is none. */
export function exitStatus(files: RunFolder): number | null {
  const match = /^status=(\d{1,3})\n$/.exec(read(files.exit) ?? '');
  return match ? Number(match[1]) : null;
}

function lookForExit(files: RunFolder, extras: LookExtras): TerminalSnapshot | null {
  const status = exitStatus(files);
  if (status === null) return null;
  const failed = read(files.failed)?.trim() || null;
  const outputBytes = stat(files.output)?.size ?? 0;
  // The clock may have been set back since; then it is old enough.
  const exitAgeMs = Math.floor(Math.abs(extras.clock.wallMs() - (stat(files.exit)?.mtimeMs ?? 0)));
  const signal = signalOf(status);
  const oom = signal === 'KILL' && Number(read(files.oom) ?? 0) > 0;
  return {
    is: 'dead',
    exit: { status },
    outputBytes,
    drained: extras.drained ?? true,
    exitAgeMs,
    failed,
    ...(signal !== null && { signal }),
    ...(oom && { oom }),
    ...(extras.terminalGone && { terminalGone: true }),
  };
}

/** The command's pid. Null: no process is there. 0: the command has not signed yet. */
function livingPid(files: RunFolder, name: string, claim: Stats, clock: Clock): number | null {
  const { launcher, command } = readSigned(files);
  if ((command && isAlive(command)) || (launcher && isAlive(launcher))) return command?.pid ?? 0;
  if (command) return null;
  // A launcher signs within moments; one that died before that must not be waited for forever.
  if (!launcher && Math.abs(clock.wallMs() - claim.mtimeMs) < CLAIM_MS_MAX) return 0;
  // A process between its start and its signature is known only by its run marker. Finding it reads every process.
  if (marked(name).length > 0) return 0;
  const now = readSigned(files);
  return now.command || (now.launcher && !launcher) ? livingPid(files, name, claim, clock) : null;
}

/** By wall time, which may be set: decisions use what `Quiet` derives from it. */
function quietMs(printed: readonly (Stats | null)[], clock: Clock): number {
  const printedAtMs = Math.max(...printed.map((file) => file?.mtimeMs ?? 0));
  return printedAtMs === 0 ? 0 : Math.max(0, Math.floor(clock.wallMs() - printedAtMs));
}

function readIdentities(files: RunFolder): RunIdentities {
  return { ...readSigned(files), keeper: identityIn(files.keeper), holder: identityIn(files.holder) };
}

/**
 * The launcher signs before the command, so the command is read first: read after it, a command that came and went in
 * between would seem to have no launcher that could still write its exit.
 */
function readSigned(files: RunFolder): Pick<RunIdentities, 'launcher' | 'command'> {
  const command = identityIn(files.command);
  return { launcher: identityIn(files.launcher), command };
}

function identityIn(path: string): Identity | null {
  return parseIdentity(read(path) ?? '');
}

function stat(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}

function read(path: string): string | null {
  return readIfThere(path)?.toString('utf8') ?? null;
}
