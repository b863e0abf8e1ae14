import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, realClock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { TerminalSight } from '../core/event.ts';
import type { Launch } from '../core/launch.ts';
import type { SessionId } from '../core/session.ts';
import { endRun } from '../terminal/end.ts';
import { PROGRAM_PATH } from '../terminal/programs.ts';
import { runFolder } from '../terminal/run-folder.ts';
import type { RunRef, Terminal } from '../terminal/terminal.ts';

/** Makes the terminal under test for a state folder. Making it again is what a daemon that comes back does. */
export type MakeTerminal = (state: string) => Terminal;

/** One terminal in a state folder of its own. Disposing ends its runs and removes the folder. */
export interface Trial extends AsyncDisposable {
  readonly terminal: Terminal;
  readonly state: string;
  /** A folder for what the commands leave behind. */
  readonly scratch: string;
  readonly clock: Clock;
  /** The terminal as a new daemon would make it. */
  again(): Terminal;
  /** A run that nobody has opened yet. */
  ref(): RunRef;
  launch(argv: readonly [string, ...string[]], more?: Partial<Launch>): Launch;
  /** Opens a run of `sh -c script`. */
  start(script: string, more?: Partial<Launch>): Promise<RunRef>;
  output(ref: RunRef): Promise<string>;
  /** Looks until the run is dead with all its output, or lost. */
  ended(ref: RunRef): Promise<TerminalSight>;
  /** Waits until a check gives something true. */
  until<T>(what: string, check: () => T | Promise<T>): Promise<NonNullable<T>>;
}

const WAIT_MS_MAX = 15_000;
const SIZE = { columns: 80, rows: 24 };

/** Makes a trial. */
export async function makeTrial(make: MakeTerminal): Promise<Trial> {
  const state = await mkdtemp(join(tmpdir(), 'outlast-trial-'));
  const scratch = await mkdtemp(join(tmpdir(), 'outlast-scratch-'));
  const clock = realClock();
  const terminal = make(state);
  const refs: RunRef[] = [];

  const until: Trial['until'] = async (what, check) => {
    const deadlineMs = clock.steadyMs() + WAIT_MS_MAX;
    let last: unknown;
    do {
      last = await check();
      if (last) return last as NonNullable<Awaited<ReturnType<typeof check>>>;
      await clock.sleep(10);
    } while (clock.steadyMs() < deadlineMs);
    throw new Error(`${what}: not within ${WAIT_MS_MAX} ms, last ${JSON.stringify(last)}`);
  };
  const ref = (): RunRef => {
    refs.push({ session: newId(clock.wallMs()) as SessionId, run: 1 });
    return refs.at(-1) as RunRef;
  };
  const launch: Trial['launch'] = (argv, more = {}) => ({
    argv,
    env: { PATH: PROGRAM_PATH },
    cwd: scratch,
    umask: 0o022,
    stdin: 'open',
    split: false,
    ...more,
  });

  return {
    terminal,
    state,
    scratch,
    clock,
    again: () => make(state),
    ref,
    launch,
    until,
    async start(script, more) {
      const started = ref();
      await terminal.open(started, launch(['sh', '-c', script], more), SIZE);
      return started;
    },
    async output(of) {
      const bytes = await readFile(runFolder(state, of).output).catch(() => Buffer.alloc(0));
      return bytes.toString('utf8').replaceAll('\r\n', '\n');
    },
    ended: (of) =>
      until('the run ended', async () => {
        const sight = await terminal.look(of);
        return (sight.is === 'dead' && sight.drained) || sight.is === 'lost' ? sight : null;
      }),
    async [Symbol.asyncDispose]() {
      for (const each of refs) {
        const { left } = await endRun(state, each, { graceMs: 0, clock });
        if (left.length > 0) throw new Error(`run ${each.session} left ${JSON.stringify(left)} behind`);
        await terminal.release(each);
      }
      await rm(state, { recursive: true, force: true, maxRetries: 5 });
      await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
