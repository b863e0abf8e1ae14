import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { LIMITS } from '../base/limits.ts';
import { causeText } from '../base/system-errors.ts';
import type { Launch } from '../core/launch.ts';
import type { Size } from '../core/session.ts';
import { PROGRAM_PATH, type Programs } from './programs.ts';
import { exitsFolder, type RunFolder, runFolder, runName } from './run-folder.ts';
import type { RunRef } from './terminal.ts';
import { prepareTty } from './tty.ts';

/** What the `pty` terminal is given at start-up. */
export interface HolderWorld {
  readonly state: string;
  readonly programs: Programs;
  readonly clock: Clock;
  /** The path of the holder program; the viewer lies beside it. */
  readonly holder: string;
  readonly node: string;
}

/**
 * A small young generation grows less after much output. Without a thread pool there are fewer threads; it saved no
 * memory in bench/holder.ts.
 */
export const HOLDER_FLAGS: readonly string[] = ['--max-semi-space-size=1', '--v8-pool-size=0'];

/** How long a holder may take to start its launcher, on a busy machine. */
const START_MS_MAX = 10_000;
const AGAIN_MS = 5;
const LOG_CHARS_MAX = 2_000;

/** Writes the plan and starts the holder. Returns when the run is claimed, by this holder or by an earlier one. */
export async function startHolder(world: HolderWorld, ref: RunRef, launch: Launch, size: Size): Promise<void> {
  const files = runFolder(world.state, ref);
  refuseLongPath(files.socket);
  if (existsSync(files.claim)) return;
  const term = termOf(launch);
  prepareTty(world.state, ref, launch, { size, term });
  const order = [
    files.folder,
    world.programs.launcher,
    exitsFolder(world.state),
    runName(ref),
    `${size.columns}`,
    `${size.rows}`,
    term,
  ];
  await claimed(spawnHolder(world, files, order), files, world.clock);
}

function refuseLongPath(socket: string): void {
  const bytes = Buffer.byteLength(socket);
  if (bytes <= LIMITS.socketPathBytesMax) return;
  throw new OutlastError(
    'state_unusable',
    `cannot make the socket ${socket}: its path has ${bytes} bytes, the limit is ${LIMITS.socketPathBytesMax}. ` +
      'Set OUTLAST_STATE to a shorter folder',
  );
}

function termOf(launch: Launch): string {
  const term = launch.env.TERM ?? '';
  return term === '' || term === 'dumb' ? 'xterm-256color' : term;
}

function spawnHolder(world: HolderWorld, files: RunFolder, order: readonly string[]): ChildProcess {
  const log = openSync(files.holderLog, 'a', 0o600);
  try {
    const child = spawn(world.node, [...HOLDER_FLAGS, world.holder, ...order], {
      detached: true,
      cwd: '/',
      env: { PATH: PROGRAM_PATH },
      stdio: ['ignore', 'ignore', log],
    });
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

async function claimed(child: ChildProcess, files: RunFolder, clock: Clock): Promise<void> {
  let failed: string | null = null;
  child.on('error', (error) => {
    failed = causeText(error);
  });
  child.on('exit', (status, signal) => {
    // Status 0 leaves the run to another holder, which may still be starting.
    if (status !== 0) failed = `it ended with ${signal ?? status}`;
  });
  const deadlineMs = clock.steadyMs() + START_MS_MAX;
  while (!existsSync(files.claim) && clock.steadyMs() < deadlineMs) {
    if (failed !== null) throw unstarted(files, failed);
    await clock.sleep(AGAIN_MS);
  }
}

function unstarted(files: RunFolder, why: string): OutlastError {
  const log = existsSync(files.holderLog) ? readFileSync(files.holderLog, 'utf8').slice(-LOG_CHARS_MAX).trim() : '';
  return new OutlastError('terminal_failed', `cannot start the holder in ${files.folder}: ${why}${log && `\n${log}`}`);
}
