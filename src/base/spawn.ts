import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Clock } from './clock.ts';
import { errnoOf } from './errors.ts';
import { LIMITS } from './limits.ts';

/** How a short command ended. Only 'exited' has all of its output. */
export type Ran =
  | { readonly end: 'exited'; readonly status: number; readonly stdout: Buffer; readonly stderr: string }
  | { readonly end: 'unstarted'; readonly errno: string } // ENOENT: not on PATH, or no such folder
  | { readonly end: 'late' } // killed at its deadline
  | { readonly end: 'flooded' }; // killed because it printed too much

/** The limits and the environment of a short command. */
export interface RunOptions {
  readonly clock: Clock;
  /** The whole environment: nothing is inherited. PATH finds the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: Uint8Array;
  readonly msMax?: number;
  /** For stdout, and for stderr. */
  readonly bytesMax?: number;
}

const BYTES_MAX = 16 * 1024 * 1024;

/** Runs a short command without a shell and waits for its end, up to a deadline. Failures are results, not errors. */
export async function run(argv: readonly [string, ...string[]], options: RunOptions): Promise<Ran> {
  const child = start(argv, options);
  if (typeof child === 'string') return { end: 'unstarted', errno: child };
  const over = new AbortController();
  try {
    return await Promise.race([
      ended(child, options.bytesMax ?? BYTES_MAX, options.input),
      options.clock.sleep(options.msMax ?? LIMITS.commandMsMax, over.signal).then((): Ran => ({ end: 'late' })),
    ]);
  } finally {
    over.abort();
    drop(child);
  }
}

/** Some failures are thrown and some are an event; a child without a pid has only the event. */
function start([program, ...args]: readonly [string, ...string[]], options: RunOptions) {
  try {
    return spawn(program, args, { env: { ...options.env }, cwd: options.cwd ?? '/', stdio: 'pipe' });
  } catch (error) {
    return errnoOf(error);
  }
}

function ended(child: ChildProcessWithoutNullStreams, bytesMax: number, input?: Uint8Array): Promise<Ran> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ end: 'unstarted', errno: errnoOf(error) }));
    if (child.pid === undefined) return;
    const flooded = (): void => resolve({ end: 'flooded' });
    const stdout = collect(child.stdout, bytesMax, flooded);
    const stderr = collect(child.stderr, bytesMax, flooded);
    child.on('close', (code, signal) => {
      const status = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
      resolve({ end: 'exited', status, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() });
    });
    // A command that does not read its input is not an error; its status says how it ended.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? new Uint8Array());
  });
}

function collect(stream: NodeJS.ReadableStream, bytesMax: number, flooded: () => void): Buffer[] {
  const pieces: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > bytesMax) return flooded();
    pieces.push(piece);
  });
  return pieces;
}

/**
 * After a normal end there is nothing to do; else the child is killed and its streams are closed, so that neither keeps
 * running.
 */
function drop(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}
