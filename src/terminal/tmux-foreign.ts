import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { matcher } from '../base/pattern.ts';
import { askTmux, type TmuxAnswer, type TmuxServer, tmuxEnvironment, whereOf } from './tmux-ask.ts';

// tmux panes that are not ours: they are listed and read, never typed into, resized or ended.

/** What reading foreign panes is given at start-up. */
export interface ForeignWorld {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A session on a tmux server that is not ours. */
export interface TmuxSession {
  readonly socket: string;
  readonly name: string;
  readonly attached: boolean;
  readonly startedAtMs: number;
}

/** Where to look for sessions: sockets, folders of sockets, and a part of the name, ignoring case. */
export interface TmuxSearch {
  readonly sockets: readonly string[];
  readonly folders: readonly string[];
  readonly query: string;
}

/** What to read: a pane by id (%5, @2, $3), or by session name with or without window and pane. */
export type TmuxPane = TmuxServer & { readonly target: string; readonly lines: number };

/** What to wait for, and how long. */
export type TmuxWait = TmuxPane & {
  readonly text: string;
  /** The text is literal, not a regular expression. */
  readonly fixed: boolean;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

/** Whether the text appeared, the part that matched, and what the pane showed last. */
export interface TmuxWaited {
  readonly met: boolean;
  readonly match?: string;
  readonly text: string;
}

const ASK_MS_MAX = 2_000;
const POLL_MS = 100;

/** Lists the tmux sessions at these places; `dead` names the sockets and folders where none answered. */
export async function findTmuxSessions(
  search: TmuxSearch,
  world: ForeignWorld,
): Promise<{ sessions: TmuxSession[]; dead: string[] }> {
  const folders = search.folders.map((folder) => ({ folder, sockets: socketsIn(folder) }));
  const sockets = new Set([...search.sockets, ...folders.flatMap((found) => found.sockets ?? [])]);
  const dead = folders.filter((found) => found.sockets === null).map((found) => found.folder);
  const lists = await Promise.all([...sockets].map((socket) => sessionsAt(socket, world)));
  const wanted = search.query.toLowerCase();
  return {
    sessions: lists.flatMap(({ list }) => list ?? []).filter(({ name }) => name.toLowerCase().includes(wanted)),
    dead: [...dead, ...lists.filter(({ list }) => list === null).map(({ socket }) => socket)],
  };
}

function socketsIn(folder: string): string[] | null {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isSocket()).map((entry) => join(folder, entry.name));
  } catch {
    return null;
  }
}

async function sessionsAt(
  socket: string,
  world: ForeignWorld,
): Promise<{ socket: string; list: TmuxSession[] | null }> {
  // The name comes last: it may contain anything but a colon. tmux makes control characters in names visible by itself.
  const format = '#{session_created}:#{session_attached}:#{session_name}';
  const answer = await ask({ socket }, world, ['list-sessions', '-F', format]);
  if (answer.is !== 'done') return { socket, list: null };
  const lines = answer.text.split('\n').map((line) => /^(\d+):(\d+):(.*)$/.exec(line));
  const list = lines.flatMap((parts) => {
    if (parts === null) return [];
    const [, created, attached, name = ''] = parts;
    return [{ socket, name, attached: attached !== '0', startedAtMs: Number(created) * 1_000 }];
  });
  return { socket, list };
}

/** What a pane shows, after this many lines of its history; wrapped lines are joined. */
export async function captureTmuxPane(pane: TmuxPane, world: ForeignWorld): Promise<string> {
  const history = pane.lines > 0 ? ['-S', `-${Math.floor(pane.lines)}`] : [];
  const target = exactTarget(pane.target);
  const answer = await ask(pane, world, ['capture-pane', '-p', '-J', ...history, '-t', target]);
  if (answer.is === 'done') return answer.text.replaceAll(/[ \t]+$/gm, '').replace(/\n+$/, '\n');
  if (answer.is === 'stuck') throw new OutlastError('terminal_failed', answer.why);
  throw new OutlastError(
    'session_not_found',
    `no tmux pane "${pane.target}" on ${whereOf(pane)}: ${answer.why}; \`outlast tmux find\` lists all`,
  );
}

/** Waits until a text is on a pane or in its history. A pane that is gone is an error, not "not yet". */
export async function waitForTmuxText(wait: TmuxWait, world: ForeignWorld): Promise<TmuxWaited> {
  const find = finder(wait.text, wait.fixed);
  const deadlineMs = world.clock.steadyMs() + wait.timeoutMs;
  for (;;) {
    const text = await captureTmuxPane(wait, world);
    const match = find(text);
    if (match !== null) return { met: true, match, text };
    const leftMs = deadlineMs - world.clock.steadyMs();
    if (leftMs <= 0 || wait.signal?.aborted) return { met: false, text };
    await world.clock.sleep(Math.min(POLL_MS, leftMs), wait.signal);
  }
}

function finder(text: string, fixed: boolean): (shown: string) => string | null {
  if (text === '') throw new OutlastError('input_invalid', 'the text to wait for is empty');
  if (fixed) return (shown) => (shown.includes(text) ? text : null);
  return matcher(text);
}

/** tmux matches the beginning of a name, unless the target says not to. */
export function exactTarget(target: string): string {
  if (/^[%@$]\d+$/.test(target)) return target;
  const parts = /^=?([^:]+)(?::=?([^.:]*)(\..*)?)?$/.exec(target);
  if (parts === null || /[\x00-\x1f\x7f]/.test(target)) {
    throw new OutlastError('input_invalid', `"${target}" names no tmux pane: use %5, name, or name:window.pane`);
  }
  const [, session = '', window = '', pane = ''] = parts;
  return `${/^\$\d+$/.test(session) ? '' : '='}${session}:${exactWindow(window)}${pane}`;
}

function exactWindow(window: string): string {
  return window === '' || /^@\d+$/.test(window) ? window : `=${window}`;
}

function ask(at: TmuxServer, world: ForeignWorld, args: readonly string[]): Promise<TmuxAnswer> {
  const door = 'socket' in at ? { socket: at.socket } : { server: at.server };
  return askTmux({ at: door, clock: world.clock, env: tmuxEnvironment(world.env), msMax: ASK_MS_MAX }, args);
}

/** The server with this socket or name; without either, the default one. */
export function serverNamed(input: {
  socket?: string | undefined;
  server?: string | undefined;
}): { socket: string } | { server: string } {
  return input.socket === undefined ? { server: input.server ?? 'default' } : { socket: input.socket };
}
