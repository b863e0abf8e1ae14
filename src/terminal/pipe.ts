import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { LIMITS } from '../base/limits.ts';
import { causeText } from '../base/system-errors.ts';
import type { Launch } from '../core/launch.ts';
import { type FifoEnd, FifoWriter } from './fifo.ts';
import { encodeKeys } from './keys.ts';
import { writeLaunchFiles } from './launch-files.ts';
import { lookAtRun, runIdentities } from './look.ts';
import { planText } from './plan.ts';
import { isAlive, signal } from './processes.ts';
import { PROGRAM_PATH, type Programs } from './programs.ts';
import { exitsFolder, runFolder, runName } from './run-folder.ts';
import type { StyledScreen, StyledWish } from './styled.ts';
import type { RunRef, Screen, Terminal, TerminalInput, Written } from './terminal.ts';

/** What the `pipe` terminal is given at start-up. */
export interface PipeWorld {
  readonly state: string;
  readonly programs: Programs;
  readonly clock: Clock;
}

const SCREEN_BYTES = 256 * 1024;

/** No tty and no holder: the command writes the output file itself, and its standard input is a FIFO. */
export function pipe(world: PipeWorld): Terminal {
  const writers = new Map<string, FifoWriter>();
  return {
    kind: 'pipe',
    open: (ref, launch) => openPipe(world, ref, launch),
    look: async (ref) => lookAtRun(world.state, ref, { clock: world.clock }),
    screen: (ref) => screenOf(world, ref),
    styled: (ref, wish) => styledOf(world, ref, wish),
    write: (ref, input) => write(world, writers, ref, input),
    resize: async () => refuse('resize'),
    repairOutput: async () => {},
    release: async (ref) => release(world, ref),
    attach: async () => refuse('attach to'),
    viewers: async () => 0,
  };
}

async function openPipe(world: PipeWorld, ref: RunRef, launch: Launch): Promise<void> {
  const files = runFolder(world.state, ref);
  const name = runName(ref);
  try {
    // A launcher that runs already may be reading its plan.
    if (existsSync(files.claim)) return;
    for (const folder of [files.folder, exitsFolder(world.state)]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeLaunchFiles(files.files, launch);
    writeFileSync(`${files.plan}.tmp`, planText(launch, { name }), { mode: 0o600 });
    renameSync(`${files.plan}.tmp`, files.plan);
    for (const output of launch.split ? [files.output, files.stderr] : [files.output]) {
      appendFileSync(output, '', { mode: 0o600 });
    }
    const isKept = launch.stdin === 'open' || launch.stdin === 'messages';
    if (launch.stdin === 'messages') appendFileSync(files.input, '', { mode: 0o600 });
    const words = [world.programs.launcher, 'pipe', files.folder, exitsFolder(world.state), name];
    await startAlone('sh', isKept ? [...words, String(launch.stdin)] : words, name);
  } catch (cause) {
    if (cause instanceof OutlastError) throw cause;
    throw new OutlastError('terminal_failed', `cannot start run ${name} in ${files.folder}: ${causeText(cause)}`, {
      cause,
    });
  }
}

/** Starts a program in a process session of its own, with no descriptor of ours. Resolves when it is running. */
function startAlone(program: string, words: readonly string[], name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { PATH: PROGRAM_PATH, OUTLAST_RUN: name };
    const child = spawn(program, words, { detached: true, stdio: 'ignore', cwd: '/', env });
    child.once('error', reject);
    child.once('spawn', resolve);
    child.unref();
  });
}

async function write(
  world: PipeWorld,
  writers: Map<string, FifoWriter>,
  ref: RunRef,
  input: TerminalInput,
): Promise<Written> {
  const bytes = bytesOf(input);
  const name = runName(ref);
  const writer = writers.get(name) ?? new FifoWriter(inputOf(world, ref), world.clock);
  writers.set(name, writer);
  try {
    return await writer.write(bytes);
  } finally {
    // A writer that still drains keeps the order for later writes.
    for (const [key, other] of writers) if (other.idle) writers.delete(key);
  }
}

function bytesOf(input: TerminalInput): Uint8Array | 'eof' {
  switch (input.kind) {
    case 'bytes':
      return input.bytes;
    case 'keys':
      return Buffer.concat(input.keys.map(keyBytes));
    case 'paste':
      return Buffer.from(input.text);
    case 'eof':
      return 'eof';
  }
}

function inputOf({ state, clock }: PipeWorld, ref: RunRef): FifoEnd {
  return {
    path: runFolder(state, ref).stdin,
    state: () => {
      const { command, keeper } = runIdentities(state, ref);
      if (keeper) return isAlive(keeper) ? (command ? 'open' : 'starting') : 'closed';
      // The keeper signs before the command does.
      return command ? 'closed' : 'starting';
    },
    end: async () => {
      const { keeper } = runIdentities(state, ref);
      if (!keeper || !signal(keeper, 'SIGKILL')) return;
      const deadlineMs = clock.steadyMs() + LIMITS.killMsMax;
      while (isAlive(keeper) && clock.steadyMs() < deadlineMs) await clock.sleep(1);
    },
  };
}

async function screenOf(world: PipeWorld, ref: RunRef): Promise<Screen> {
  const size = { columns: LIMITS.columns, rows: LIMITS.rows };
  const { renderScreen } = await import('./screen.ts');
  const shown = await renderScreen(await tailOf(runFolder(world.state, ref).output), size, { convertEol: true });
  return { ...shown, title: null };
}

async function styledOf(world: PipeWorld, ref: RunRef, wish: StyledWish): Promise<StyledScreen> {
  const size = { columns: LIMITS.columns, rows: LIMITS.rows };
  const { renderStyled } = await import('./screen.ts');
  const tail = await tailOf(runFolder(world.state, ref).output);
  const shown = await renderStyled(tail, size, { convertEol: true, wish });
  return { ...shown, title: null, offset: null };
}

async function tailOf(path: string): Promise<Uint8Array> {
  if (!existsSync(path)) return new Uint8Array();
  await using file = await openFile(path);
  const { size } = await file.stat();
  const tail = Buffer.alloc(Math.min(size, SCREEN_BYTES));
  const { bytesRead } = await file.read(tail, 0, tail.length, size - tail.length);
  return tail.subarray(0, bytesRead);
}

function release({ state }: PipeWorld, ref: RunRef): void {
  const { keeper } = runIdentities(state, ref);
  if (keeper) signal(keeper, 'SIGKILL');
  rmSync(runFolder(state, ref).stdin, { force: true });
}

function refuse(what: string): never {
  throw new OutlastError(
    'not_supported',
    `cannot ${what} a pipe: it has no terminal. A session started with --pty has one.`,
  );
}

/** Without a terminal, nothing turns the carriage return of Enter into a newline. */
function keyBytes(key: string): Uint8Array {
  return /^(enter|return|kpenter)$/i.test(key) ? Buffer.from('\n') : encodeKeys([key], { applicationCursor: false });
}
