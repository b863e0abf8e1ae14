import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, realClock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Launch } from '../core/launch.ts';
import type { SessionId } from '../core/session.ts';
import type { TerminalSnapshot } from '../core/snapshot.ts';
import { endRun } from '../terminal/end.ts';
import { PROGRAM_PATH } from '../terminal/programs.ts';
import { runFolder } from '../terminal/run-folder.ts';
import type { RunRef, Terminal } from '../terminal/terminal.ts';

/** Creates the terminal under test for a state folder. Creating it again simulates a restarted daemon. */
export type MakeTerminal = (state: string) => Terminal;

const WAIT_MS_MAX = 15_000;
const SIZE = { columns: 80, rows: 24 };

/** Creates a bench. */
export async function makeBench(make: MakeTerminal): Promise<TerminalBench> {
  const state = await mkdtemp(join(tmpdir(), 'outlast-bench-'));
  return new TerminalBench(state, await mkdtemp(join(tmpdir(), 'outlast-scratch-')), make);
}

/** One terminal in its own state folder. Disposing ends its runs and removes the folder. */
export class TerminalBench implements AsyncDisposable {
  readonly terminal: Terminal;
  readonly state: string;
  /** A folder for files that the commands create. */
  readonly scratch: string;
  readonly clock: Clock = realClock();
  readonly #make: MakeTerminal;
  readonly #refs: RunRef[] = [];

  constructor(state: string, scratch: string, make: MakeTerminal) {
    this.state = state;
    this.scratch = scratch;
    this.#make = make;
    this.terminal = make(state);
  }

  /** The terminal as a new daemon would create it. */
  again(): Terminal {
    return this.#make(this.state);
  }

  /** A run that is not opened yet. */
  ref(): RunRef {
    const ref = { session: newId(this.clock.wallMs()) as SessionId, run: 1 };
    this.#refs.push(ref);
    return ref;
  }

  launch(argv: readonly [string, ...string[]], more: Partial<Launch> = {}): Launch {
    const env = { PATH: PROGRAM_PATH };
    return { argv, env, cwd: this.scratch, umask: 0o022, stdin: 'open', split: false, ...more };
  }

  /** Opens a run of `sh -c script`. */
  async start(script: string, more?: Partial<Launch>): Promise<RunRef> {
    const ref = this.ref();
    await this.terminal.open(ref, this.launch(['sh', '-c', script], more), SIZE);
    return ref;
  }

  async output(ref: RunRef): Promise<string> {
    const bytes = await readFile(runFolder(this.state, ref).output).catch(() => Buffer.alloc(0));
    return bytes.toString('utf8').replaceAll('\r\n', '\n');
  }

  /** Waits until the run is dead with all its output, or lost. */
  ended(ref: RunRef): Promise<TerminalSnapshot> {
    return this.until('the run ended', async () => {
      const snapshot = await this.terminal.look(ref);
      return (snapshot.is === 'dead' && snapshot.drained) || snapshot.is === 'lost' ? snapshot : null;
    });
  }

  /** Waits until a check returns something true. */
  async until<T>(what: string, check: () => T | Promise<T>): Promise<NonNullable<T>> {
    const deadlineMs = this.clock.steadyMs() + WAIT_MS_MAX;
    let last: unknown;
    do {
      const seen = await check();
      if (seen) return seen;
      last = seen;
      await this.clock.sleep(10);
    } while (this.clock.steadyMs() < deadlineMs);
    throw new Error(`${what}: not within ${WAIT_MS_MAX} ms, last ${JSON.stringify(last)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const ref of this.#refs) {
      const { left } = await endRun(this.state, ref, { graceMs: 0, clock: this.clock });
      if (left.length > 0) throw new Error(`run ${ref.session} left ${JSON.stringify(left)} behind`);
      await this.terminal.release(ref);
    }
    await rm(this.state, { recursive: true, force: true, maxRetries: 5 });
    await rm(this.scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
