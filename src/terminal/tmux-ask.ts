import { existsSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { type Ran, run } from '../base/spawn.ts';
import { errnoText } from '../base/system-errors.ts';
import { PROGRAM_PATH } from './programs.ts';

/** A tmux server: by the path of its socket, or by the name a person gave with -L. */
export type TmuxServer = { readonly socket: string } | { readonly server: string };

/** What is needed to call tmux. */
export interface TmuxAsk {
  readonly at: TmuxServer;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
  /** The working folder of the tmux client; a server that it starts keeps it. */
  readonly cwd?: string;
  readonly input?: Uint8Array;
  readonly msMax?: number;
}

/** The result of a tmux command. A missing server is a result, too. */
export type TmuxAnswer =
  | { readonly is: 'done'; readonly text: string }
  | { readonly is: 'absent'; readonly why: string }
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'stuck'; readonly why: string };

/** Runs one sequence of tmux commands, as an argument array: no shell sees it. */
export async function askTmux(ask: TmuxAsk, args: readonly string[]): Promise<TmuxAnswer> {
  const door = 'socket' in ask.at ? ['-S', ask.at.socket] : ['-L', ask.at.server];
  // -u: the output is UTF-8, whatever the locale here.
  return answerOf(await run(['tmux', '-u', ...door, ...args], ask), ask, args);
}

const NAMES = new Set(['HOME', 'LANG', 'TERM', 'TMUX_TMPDIR']);

/** The few variables that tmux may see of our environment. A server keeps them for life and shows them to every run. */
export function tmuxEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => NAMES.has(name) || name.startsWith('LC_'));
  // tmux itself may be anywhere; PROGRAM_PATH has what the launcher needs.
  const path = env.PATH ? `${env.PATH}:${PROGRAM_PATH}` : PROGRAM_PATH;
  return {
    ...Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    PATH: path,
  };
}

const ABSENT = /^(no server running on|error connecting to .*\(No such file|server exited|lost server|no sessions)/m;
/** A server that has no room for one more client still exists. */
const BUSY = /^error connecting to/m;

function answerOf(ran: Ran, ask: TmuxAsk, args: readonly string[]): TmuxAnswer {
  const what = `tmux ${args.find((word) => !word.startsWith('-')) ?? ''} on ${whereOf(ask.at)}`;
  switch (ran.end) {
    case 'exited': {
      if (ran.status === 0) return { is: 'done', text: ran.stdout.toString() };
      const why = ran.stderr.trim() || `${what} exited with status ${ran.status}`;
      return { is: ABSENT.test(why) ? 'absent' : BUSY.test(why) ? 'stuck' : 'refused', why };
    }
    case 'late':
      return { is: 'stuck', why: `${what} did not answer in time` };
    case 'flooded':
      return { is: 'refused', why: `${what} printed more than the limit` };
    case 'unstarted':
      throw unstarted(ran.errno, ask, what);
  }
}

/** The place of a server, for people. */
export function whereOf(at: TmuxServer): string {
  return 'socket' in at ? at.socket : `the server "${at.server}"`;
}

function unstarted(errno: string, ask: TmuxAsk, what: string): OutlastError {
  // The system reports ENOENT for a missing program and for a missing folder.
  if (ask.cwd !== undefined && !existsSync(ask.cwd)) {
    return new OutlastError('state_unusable', `${what} could not start: ${ask.cwd} does not exist`);
  }
  if (errno === 'ENOENT') return new OutlastError('terminal_missing', `tmux is not on PATH (${ask.env.PATH})`);
  return new OutlastError('terminal_failed', `${what} could not start: ${errnoText(errno)}`);
}
