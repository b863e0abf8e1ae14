import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { LIMITS } from '../base/limits.ts';
import type { Size } from '../core/session.ts';
import { askTmux, type TmuxAnswer } from './tmux-ask.ts';

/** One of our panes, as its tmux server sees it. */
export interface Pane {
  readonly server: number;
  readonly session: string;
  readonly id: string;
  /** Its process has ended and everything it printed was read. */
  readonly dead: boolean;
  /** Its output goes into a sink. */
  readonly piped: boolean;
  readonly applicationCursor: boolean;
  readonly applicationKeypad: boolean;
}

/** The panes of one server; null when it does not answer, which says nothing about them. */
type Panes = readonly Pane[] | null;

/** Where a pane was, if known. 'shared': a recent list is enough; 'fresh': the server is asked after this call. */
export interface PaneHint {
  readonly server?: number;
  readonly id?: string;
  readonly age: 'shared' | 'fresh';
}

/** What our servers are given at start-up. */
export interface ServersWorld {
  readonly state: string;
  readonly conf: string;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
  readonly sessionsMax: number;
}

/**
 * What a new tmux session runs. `sink` is a line of sh, made of safe characters only, that receives the pane's output.
 */
export interface NewSession {
  readonly name: string;
  readonly size: Size;
  readonly argv: readonly string[];
  readonly sink: string;
}

/** Where a new session was created. */
export interface Opened {
  readonly server: number;
  readonly id: string;
}

/** Looks within this time share one query. */
const SHARED_MS = 200;
const LOOK_MS_MAX = 2_000;
const LIST_TRIES_MAX = 4;
const LIST_PAUSE_MS = 30;
/** A server that does not answer gets no new session for this long, so that opening does not wait for it each time. */
const AVOID_MS = 10_000;
const FORMAT = '#{session_name} #{pane_id} #{pane_dead} #{pane_pipe} #{keypad_cursor_flag} #{keypad_flag}';

/**
 * Our own tmux servers: sockets `<state>/tmux/1`, `2`, `3` …, with few sessions on each, so that a server that dies
 * takes few with it. All run in the state folder, and their arguments are relative to it: its path never meets a shell
 * or a format.
 */
export class TmuxServers {
  readonly #world: ServersWorld;
  readonly #folder: string;
  /** The last query of each server, and the one that waits for its answer. */
  readonly #asked = new Map<number, { atMs: number; panes: Promise<Panes> }>();
  readonly #next = new Map<number, Promise<Panes>>();
  readonly #avoidUntilMs = new Map<number, number>();
  readonly #usage = new Map<string, string>();
  #opening: Promise<unknown> = Promise.resolve();

  constructor(world: ServersWorld) {
    this.#world = world;
    this.#folder = join(world.state, 'tmux');
  }

  socket(server: number): string {
    const path = join(this.#folder, String(server));
    const bytes = Buffer.byteLength(path);
    if (bytes <= LIMITS.socketPathBytesMax) return path;
    const why = `its path has ${bytes} bytes, the limit is ${LIMITS.socketPathBytesMax}`;
    throw new OutlastError('state_unusable', `cannot make a tmux socket at ${path}: ${why}`);
  }

  ask(
    server: number,
    args: readonly string[],
    options: { input?: Uint8Array; msMax?: number } = {},
  ): Promise<TmuxAnswer> {
    const { clock, env, state } = this.#world;
    return askTmux({ at: { socket: this.socket(server) }, clock, env, cwd: state, ...options }, args);
  }

  /** The flags that a command of this server accepts. A server never changes its program, so it is asked once. */
  async usage(server: number, command: string): Promise<string> {
    const key = `${server} ${command}`;
    const known = this.#usage.get(key);
    if (known !== undefined) return known;
    const answer = await this.ask(server, ['list-commands', command]);
    if (answer.is === 'done') this.#usage.set(key, answer.text);
    return answer.is === 'done' ? answer.text : '';
  }

  /** The pane of a session by its exact name; 'unknown' when a server that may have it does not answer. */
  async pane(session: string, hint: PaneHint): Promise<Pane | null | 'unknown'> {
    const servers = hint.server === undefined ? this.#servers() : [hint.server];
    const lists = await Promise.all(servers.map((server) => this.#panes(server, hint.age)));
    const own = lists.flatMap((list) => list ?? []).filter((pane) => pane.session === session);
    // A person may have split the window: the record says which pane is the run's, else it is the first.
    const pane = own.find(({ id }) => id === hint.id) ?? own[0];
    return pane ?? (lists.includes(null) ? 'unknown' : null);
  }

  /** Starts a session on a server that has room, or on a new one. A session of that name may already exist. */
  open(session: NewSession): Promise<Opened> {
    // One after the other: two at once would both take the last place.
    const opened = this.#opening.then(() => this.#open(session));
    this.#opening = opened.catch(() => null);
    return opened;
  }

  async #open(session: NewSession): Promise<Opened> {
    let answer = await this.#openOnce(session);
    // The server ended between the choice and the call. Nothing was started, or the launcher's claim is taken.
    if (answer.is === 'absent') answer = await this.#openOnce(session);
    if (answer.is === 'done') return { server: answer.server, id: answer.text.trim() };
    const there = answer.why.startsWith('duplicate session') && (await this.pane(session.name, { age: 'fresh' }));
    if (there && there !== 'unknown') return there;
    throw new OutlastError('terminal_failed', `tmux could not start the session ${session.name}: ${answer.why}`);
  }

  async #openOnce({ name, size, argv, sink }: NewSession): Promise<TmuxAnswer & { server: number }> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const { server, isNew } = await this.#choose();
    const columns = String(size.columns);
    const rows = String(size.rows);
    // One sequence: tmux reads nothing from the pane before its sink is there. resize-window pins the size.
    const sequence = [
      ...['new-session', '-d', '-P', '-F', '#{pane_id}', '-s', name, '-x', columns, '-y', rows, '--', ...argv, ';'],
      ...['pipe-pane', '-O', '-t', `=${name}:`, sink, ';'],
      ...['resize-window', '-t', `=${name}:`, '-x', columns, '-y', rows],
    ];
    const conf = relative(this.#world.state, this.#world.conf);
    // -N: a server that has died in the meantime is not restarted under its old number.
    const answer = await this.ask(server, [...(isNew ? ['-f', conf] : ['-N']), ...sequence]);
    return { ...answer, server };
  }

  async #choose(): Promise<{ server: number; isNew: boolean }> {
    const servers = this.#servers();
    const nowMs = this.#world.clock.steadyMs();
    const isAvoided = (server: number): boolean => (this.#avoidUntilMs.get(server) ?? 0) > nowMs;
    const ask = (server: number): Promise<Panes> | null => (isAvoided(server) ? null : this.#panes(server, 'fresh'));
    const lists = await Promise.all(servers.map(ask));
    let roomy: number | undefined;
    servers.forEach((server, at) => {
      const list = lists[at] ?? null;
      if (list === null) return;
      const sessions = new Set(list.map((pane) => pane.session)).size;
      if (sessions === 0) this.#sweep(server, servers);
      else if (sessions < this.#world.sessionsMax) roomy ??= server;
    });
    if (roomy !== undefined) return { server: roomy, isNew: false };
    return { server: Math.max(0, ...servers) + 1, isNew: true };
  }

  /** A dead server leaves its socket. The highest one stays: numbers, and with them pane ids, are never reused. */
  #sweep(server: number, servers: readonly number[]): void {
    if (server !== Math.max(...servers)) rmSync(this.socket(server), { force: true });
  }

  #servers(): number[] {
    try {
      const names = readdirSync(this.#folder).filter((name) => /^[1-9]\d*$/.test(name));
      return names.map(Number).sort((a, b) => a - b);
    } catch {
      return [];
    }
  }

  #panes(server: number, age: PaneHint['age']): Promise<Panes> {
    const asked = this.#asked.get(server);
    if (age === 'shared' && asked && asked.atMs + SHARED_MS > this.#world.clock.steadyMs()) return asked.panes;
    const next = this.#next.get(server) ?? this.#after(asked?.panes, server);
    this.#next.set(server, next);
    return next;
  }

  /** Waits for the last answer: all callers until then share the next query, which is fresh for each of them. */
  async #after(last: Promise<Panes> | undefined, server: number): Promise<Panes> {
    await last?.catch(() => null);
    this.#next.delete(server);
    const panes = this.#list(server);
    this.#asked.set(server, { atMs: this.#world.clock.steadyMs(), panes });
    return panes;
  }

  async #list(server: number): Promise<Panes> {
    const question = ['list-panes', '-a', '-F', FORMAT];
    let answer = await this.ask(server, question, { msMax: LOOK_MS_MAX });
    for (let tries = 1; answer.is === 'refused' && tries < LIST_TRIES_MAX; tries += 1) {
      // A server that is shutting down refuses everything; a moment later it is gone.
      await this.#world.clock.sleep(LIST_PAUSE_MS);
      answer = await this.ask(server, question, { msMax: LOOK_MS_MAX });
    }
    if (answer.is === 'absent') return [];
    if (answer.is !== 'done') {
      this.#avoidUntilMs.set(server, this.#world.clock.steadyMs() + AVOID_MS);
      return null;
    }
    return answer.text.split('\n').flatMap((line) => {
      const [session, id, dead, pipe, cursor, keypad] = line.split(' ');
      if (session === undefined || id === undefined || keypad === undefined) return [];
      const modes = { applicationCursor: cursor === '1', applicationKeypad: keypad === '1' };
      return [{ server, session, id, dead: dead === '1', piped: pipe === '1', ...modes }];
    });
  }
}
