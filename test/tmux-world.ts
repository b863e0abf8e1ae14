import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, realClock } from '../src/base/clock.ts';
import { newId } from '../src/base/ids.ts';
import type { Launch } from '../src/core/launch.ts';
import type { SessionId } from '../src/core/session.ts';
import { endRun } from '../src/terminal/end.ts';
import { installPrograms } from '../src/terminal/programs.ts';
import { type RunFolder, runFolder } from '../src/terminal/run-folder.ts';
import type { RunRef, Terminal } from '../src/terminal/terminal.ts';
import { tmux } from '../src/terminal/tmux.ts';
import { eventually } from './eventually.ts';

/** tmux in its own state folder, with access to its servers and files. */
export interface TmuxTestWorld extends AsyncDisposable {
  readonly state: string;
  readonly terminal: Terminal;
  /** Another daemon's view of the same state folder. */
  again(env?: NodeJS.ProcessEnv, clock?: Clock): Terminal;
  ref(): RunRef;
  /** Starts a shell script in a new run. */
  start(script: string, env?: Record<string, string>): Promise<RunRef>;
  files(ref: RunRef): RunFolder;
  output(ref: RunRef): string;
  /** Runs tmux as a person would, on the server that has the run. */
  tmux(ref: RunRef, ...args: string[]): string;
  serverOf(ref: RunRef): { readonly number: number; readonly pid: number };
}

export const SIZE = { columns: 100, rows: 20 };

/** A launch of a shell script in a minimal environment. */
export function launchOf(script: string, env: Record<string, string> = {}): Launch {
  const path = process.env.PATH ?? '';
  return {
    argv: ['sh', '-c', script],
    env: { PATH: path, ...env },
    cwd: tmpdir(),
    umask: 0o022,
    stdin: 'open',
    split: false,
  };
}

/** Makes the world. The name of its folder may contain any characters. */
export function tmuxWorld(options: { name?: string; sessionsMax?: number } = {}): TmuxTestWorld {
  const root = mkdtempSync(join(tmpdir(), 'ol-tmux-'));
  const state = join(root, options.name ?? 'state');
  mkdirSync(state, { recursive: true });
  const clock = realClock();
  const programs = installPrograms(state, ['tmux.conf']);
  const { sessionsMax = 16 } = options;
  const make = (env = process.env, own = clock): Terminal => tmux({ state, programs, clock: own, sessionsMax, env });
  const terminal = make();
  const refs: RunRef[] = [];
  const ref = (): RunRef => {
    const made = { session: newId(clock.wallMs()) as SessionId, run: 1 };
    refs.push(made);
    return made;
  };
  const servers = (): number[] => {
    const folder = join(state, 'tmux');
    return existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => /^\d+$/.test(name))
          .map(Number)
      : [];
  };
  const ask = (server: number, ...args: string[]): string =>
    execFileSync('tmux', ['-u', '-S', join(state, 'tmux', String(server)), ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const numberOf = (at: RunRef): number => Number.parseInt(readFileSync(runFolder(state, at).tmux, 'utf8'), 10);
  return {
    state,
    terminal,
    again: make,
    ref,
    start: async (script, env) => {
      const started = ref();
      await terminal.open(started, launchOf(script, env), SIZE);
      return started;
    },
    files: (at) => runFolder(state, at),
    output: (at) => readFileSync(runFolder(state, at).output, 'utf8'),
    tmux: (at, ...args) => ask(numberOf(at), ...args),
    serverOf: (at) => ({ number: numberOf(at), pid: Number(ask(numberOf(at), 'display-message', '-p', '#{pid}')) }),
    [Symbol.asyncDispose]: async () => {
      for (const each of refs) await endRun(state, each, { graceMs: 0, clock });
      for (const server of servers()) {
        try {
          ask(server, 'kill-server');
        } catch {
          // The server had exited already.
        }
      }
      rmSync(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
    },
  };
}

/** Waits until a run has ended with all its output. */
export function endedIn(world: TmuxTestWorld, ref: RunRef) {
  return eventually(async () => {
    const snapshot = await world.terminal.look(ref);
    return snapshot.is === 'dead' && snapshot.drained ? snapshot : null;
  });
}

/** Waits until a text is in a run's output. */
export function printedIn(world: TmuxTestWorld, ref: RunRef, text: string): Promise<true> {
  return eventually(() => world.output(ref).includes(text), { what: `output of ${text}` });
}
