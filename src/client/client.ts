import type { CallInput, CallOutput } from '../api/contract.ts';
import type { OperationName } from '../api/routes.ts';
import type { SessionView } from '../api/shapes.ts';
import type { Transport } from '../api/transport.ts';
import { type Clock, realClock } from '../base/clock.ts';
import { follow, type Line, readEvents } from './follow.ts';
import type { Given } from './given.ts';
import { Session } from './handle.ts';
import { SocketTransport } from './socket.ts';
import { socketPath, stateFolder } from './state.ts';

/** What to start. Folder, environment and file mode mask are the caller's own unless given. */
export type StartInput = Omit<Given<'session.start'>, 'cwd' | 'env'> &
  Partial<Pick<Given<'session.start'>, 'cwd' | 'env'>>;

export interface ConnectOptions {
  /** The state folder; else as OUTLAST_STATE and XDG_STATE_HOME say. */
  readonly state?: string;
  /** May the daemon be started when it does not run? Default: yes. */
  readonly start?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How a command ended and what it printed. */
export interface Executed {
  readonly session: SessionView;
  /** Its output as text; of very long output the end. */
  readonly output: string;
  readonly omittedChars: number;
}

const OUTPUT_CHARS_MAX = 1024 * 1024;

/** A client of the daemon. It connects with the first call, and starts the daemon if it may. */
export function connect(options: ConnectOptions = {}): Outlast {
  const env = options.env ?? process.env;
  const state = options.state ?? stateFolder(env);
  const clock = realClock();
  const start = async (signal?: AbortSignal): Promise<void> => {
    const { startDaemon } = await import('./start-daemon.ts');
    await startDaemon({ state, env, clock, signal });
  };
  const transport = new SocketTransport({
    path: socketPath(state),
    clock,
    start: options.start === false ? null : start,
  });
  return new Outlast(transport, env, clock);
}

/** Every operation of the product as a method. Each takes a signal; aborting it ends the wait, never the session. */
export class Outlast {
  readonly transport: Transport & { close(): void };
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #clock: Clock;

  constructor(
    transport: Transport & { close(): void },
    env: Readonly<Record<string, string | undefined>>,
    clock: Clock,
  ) {
    this.transport = transport;
    this.#env = env;
    this.#clock = clock;
  }

  call<N extends OperationName>(name: N, input: Given<N>, signal?: AbortSignal): Promise<CallOutput<N>> {
    return this.transport.call(name, input as CallInput<N>, signal);
  }

  /** Starts a command as a session and gives a handle to it. */
  async start(input: StartInput, signal?: AbortSignal): Promise<Session> {
    const own = {
      key: newKey(this.#clock),
      cwd: process.cwd(),
      env: callerEnvironment(this.#env),
      umask: process.umask(),
    };
    const { session, warnings } = await this.call('session.start', { ...own, ...input }, signal);
    return new Session(this, session, warnings);
  }

  /** Starts a command, waits for its end and gives its output. */
  async exec(input: StartInput, signal?: AbortSignal): Promise<Executed> {
    const session = await this.start({ background: false, ...input }, signal);
    let output = '';
    let omittedChars = 0;
    for await (const line of this.follow({ session: session.id, from: 0, owner: true }, signal)) {
      if (line.session !== undefined) return { session: line.session, output, omittedChars };
      output += line.text ?? '';
      const over = Math.max(output.length - OUTPUT_CHARS_MAX, 0);
      output = output.slice(over);
      omittedChars += over;
    }
    return { session: (await this.show(session.id, signal)).session, output, omittedChars };
  }

  /** A handle to a session that is already there; nothing is asked until it is used. */
  session(idOrName: string): Session {
    return new Session(this, idOrName, []);
  }

  list(input: Given<'session.list'> = {}, signal?: AbortSignal) {
    return this.call('session.list', input, signal);
  }

  show(session: string, signal?: AbortSignal) {
    return this.call('session.show', { session }, signal);
  }

  /** Waits for an exit, a silence or a text. A text counts from this call on, even if the daemon is lost meanwhile. */
  async wait(input: Given<'session.wait'>, signal?: AbortSignal): Promise<CallOutput<'session.wait'>> {
    const anchored = input.since !== undefined || !input.for?.startsWith('text:');
    const since = anchored ? input.since : (await this.output({ session: input.session, tail: 0 }, signal)).end;
    return this.call('session.wait', { ...input, since }, signal);
  }

  /** Reads the journal from a position; with `follow` it goes on for ever, also over a restart of the daemon. */
  events(input: Given<'session.events'> = {}, signal?: AbortSignal) {
    return readEvents(this.transport, this.#clock, input, signal);
  }

  output(input: Given<'session.output'>, signal?: AbortSignal) {
    return this.call('session.output', input, signal);
  }

  /** Follows output until the session ends; nothing is lost or doubled when the daemon goes away meanwhile. */
  follow(input: Given<'session.follow'>, signal?: AbortSignal): AsyncGenerator<Line, void, void> {
    return follow(this.transport, this.#clock, input, signal);
  }

  poll(input: Given<'session.poll'>, signal?: AbortSignal) {
    return this.call('session.poll', input, signal);
  }

  ack(input: Given<'session.ack'>, signal?: AbortSignal) {
    return this.call('session.ack', input, signal);
  }

  screen(session: string, signal?: AbortSignal) {
    return this.call('session.screen', { session }, signal);
  }

  /** Sends bytes, keys, a paste or the end of input. Never repeated by itself: it could arrive twice. */
  write(input: Given<'session.write'>, signal?: AbortSignal) {
    return this.call('session.write', input, signal);
  }

  keys(session: string, keys: string[], signal?: AbortSignal) {
    return this.write({ session, keys }, signal);
  }

  paste(session: string, text: string, signal?: AbortSignal) {
    return this.write({ session, paste: text }, signal);
  }

  resize(input: Given<'session.resize'>, signal?: AbortSignal) {
    return this.call('session.resize', input, signal);
  }

  interrupt(session: string, signal?: AbortSignal) {
    return this.call('session.interrupt', { session }, signal);
  }

  background(session: string, signal?: AbortSignal) {
    return this.call('session.background', { session }, signal);
  }

  stop(input: Given<'session.stop'>, signal?: AbortSignal) {
    return this.call('session.stop', input, signal);
  }

  remove(input: Given<'session.remove'>, signal?: AbortSignal) {
    return this.call('session.remove', input, signal);
  }

  prune(input: Given<'session.prune'>, signal?: AbortSignal) {
    return this.call('session.prune', input, signal);
  }

  attach(session: string, readOnly = false, signal?: AbortSignal) {
    return this.call('session.attach', { session, readOnly }, signal);
  }

  daemonStatus(signal?: AbortSignal) {
    return this.call('daemon.status', {}, signal);
  }

  stopDaemon(signal?: AbortSignal) {
    return this.call('daemon.stop', {}, signal);
  }

  doctor(signal?: AbortSignal) {
    return this.call('daemon.doctor', {}, signal);
  }

  tmuxFind(input: Given<'tmux.find'> = {}, signal?: AbortSignal) {
    return this.call('tmux.find', input, signal);
  }

  tmuxCapture(input: Given<'tmux.capture'>, signal?: AbortSignal) {
    return this.call('tmux.capture', input, signal);
  }

  tmuxWait(input: Given<'tmux.wait'>, signal?: AbortSignal) {
    return this.call('tmux.wait', input, signal);
  }

  /** Closes the kept connections. Sessions and the daemon go on. */
  close(): void {
    this.transport.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** The environment a command inherits from its caller: everything but what is ours. */
export function callerEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !name.startsWith('OUTLAST_')) kept[name] = value;
  }
  return kept;
}

// With a key, asking again after a broken connection starts nothing twice. It is no secret, and crypto costs 6 ms.
function newKey(clock: Clock): string {
  const parts = [clock.wallMs(), process.pid, process.hrtime.bigint(), Math.floor(Math.random() * 2 ** 52)];
  return parts.map((part) => part.toString(36)).join('-');
}
