import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Print, type Sink } from '../../src/cli/base/print.ts';
import { run } from '../../src/cli/run.ts';
import { realClock } from '../../src/client/clock.ts';
import { COMPILED } from '../compiled.ts';
import { type Answers, type FakeDaemon, fakeDaemon } from '../fake-daemon.ts';

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly printed: { out: string; err: string };
  readonly ended: Promise<Ran>;
}

export interface CliWorld extends AsyncDisposable {
  readonly state: string;
  readonly daemon: FakeDaemon;
  /** Starts the command line; its input is /dev/null unless `input` says otherwise. */
  start(words: readonly string[], input?: string | 'pipe'): Running;
  run(words: readonly string[], input?: string): Promise<Ran>;
  /** Runs inside the test process: quicker, where signals and standard input do not matter. */
  inside(words: readonly string[]): Promise<Ran>;
  replaceDaemon(answers: Answers): Promise<void>;
}

const MAIN = join(import.meta.dirname, '../../bin/outlast.cjs');

/** The real command line against a daemon that answers what the test says. */
export async function cliWorld(answers: Answers, env: Record<string, string> = {}): Promise<CliWorld> {
  const state = mkdtempSync(join(tmpdir(), 'outlast-cli-'));
  const children = new Set<ChildProcess>();
  let daemon = await fakeDaemon(state, answers);
  const start = (words: readonly string[], input?: string): Running => {
    const stdin = input === undefined ? 'ignore' : 'pipe';
    const child = spawn(process.execPath, [MAIN, ...words], {
      stdio: [stdin, 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: state, XDG_CACHE_HOME: COMPILED, ...env, OUTLAST_STATE: state },
    });
    children.add(child);
    const printed = { out: '', err: '' };
    child.stdout?.on('data', (chunk: Buffer) => {
      printed.out += chunk.toString('latin1');
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      printed.err += chunk.toString();
    });
    if (input !== undefined && input !== 'pipe') child.stdin?.end(input);
    const ended = new Promise<Ran>((resolve) => child.on('close', (status) => resolve({ status, ...printed })));
    return { child, printed, ended };
  };
  return {
    state,
    get daemon() {
      return daemon;
    },
    start,
    run: (words, input) => start(words, input).ended,
    inside: async (words) => {
      const printed = { out: '', err: '' };
      const print = new Print(sink(printed, 'out'), sink(printed, 'err'), {});
      // A call that outlives its test must not start a real daemon.
      const its = { ...env, OUTLAST_STATE: state, OUTLAST_DAEMON: '/nonexistent' };
      const status = await run(words, { env: its, clock: realClock(), print });
      return { status, ...printed };
    },
    replaceDaemon: async (next) => {
      await daemon.close();
      daemon = await fakeDaemon(state, next);
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of children) child.kill('SIGKILL');
      await daemon.close();
      rmSync(state, { recursive: true, force: true });
    },
  };
}

function sink(printed: Record<'out' | 'err', string>, name: 'out' | 'err'): Sink {
  return {
    isTty: false,
    columns: Number.POSITIVE_INFINITY,
    write: async (bytes) => {
      printed[name] += typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString();
    },
  };
}
