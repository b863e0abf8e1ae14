import type { CallInput, CallOutput } from '../api/contract.ts';
import type { OperationName } from '../api/routes.ts';
import type { Transport } from '../api/transport.ts';
import type { Clock } from '../base/clock.ts';
import { errnoOf, OutlastError } from '../base/errors.ts';
import { causeText } from '../base/system-errors.ts';
import { answerOf, askedFor, isRead, waitMsOf } from './exchange.ts';
import { frozenText, untilRunning, watchFrozen } from './frozen.ts';
import { encodeRequest, type Head, keepsAlive, readBody, readHead, readLines } from './http1.ts';
import { DaemonLost } from './lost.ts';
import { dial, type Wire } from './wire.ts';

export interface SocketOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Starts the daemon when none listens; null: that is an error. */
  readonly start: ((signal?: AbortSignal) => Promise<void>) | null;
  /** The daemon's pid while its process is stopped; null while it runs. */
  readonly stopped: () => number | null;
  /** Called with messages for a waiting person. */
  readonly tell?: ((text: string) => void) | undefined;
}

const IDLE_MAX = 8;
const BUSY_MS_MAX = 10_000;
const BUSY_PAUSE_MS = 10;

/**
 * Talks to the daemon over its Unix socket. Each call is tried once; the caller knows what may be retried. Connections
 * are kept for the next call; they do not keep the program alive.
 */
export class SocketTransport implements Transport {
  readonly tell: (text: string) => void;
  readonly #options: SocketOptions;
  readonly #idle = new Set<Wire>();
  #wasReached = false;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.tell = options.tell ?? (() => {});
  }

  async call<N extends OperationName>(name: N, input: CallInput<N>, signal?: AbortSignal): Promise<CallOutput<N>> {
    const wire = await this.#connect(signal);
    const held = this.#hold(wire, name, input, signal);
    try {
      const frozen = isRead(name) ? null : await untilRunning(this.#options, signal);
      if (frozen !== null) throw this.#lost('frozen', `${name}: ${frozen}`, null);
      const head = await this.#send(wire, name, input);
      const parts: Buffer[] = [];
      for await (const part of readBody(wire, head)) parts.push(part);
      this.#release(wire, head);
      return answerOf(head.status, Buffer.concat(parts).toString('utf8')) as CallOutput<N>;
    } catch (error) {
      throw held.reason(error);
    } finally {
      held.end();
    }
  }

  async *follow<N extends OperationName>(
    name: N,
    input: CallInput<N>,
    signal?: AbortSignal,
  ): AsyncGenerator<CallOutput<N>, void, void> {
    const wire = await this.#connect(signal);
    const held = this.#hold(wire, name, input, signal);
    try {
      const head = await this.#send(wire, name, input);
      for await (const line of readLines(readBody(wire, head))) yield answerOf(head.status, line) as CallOutput<N>;
      this.#release(wire, head);
    } catch (error) {
      throw held.reason(error);
    } finally {
      held.end();
      if (!this.#idle.has(wire)) wire.socket.destroy();
    }
  }

  /** Closes idle connections. The transport can still be used: it opens new ones. */
  close(): void {
    for (const wire of this.#idle) wire.socket.destroy();
    this.#idle.clear();
  }

  /** While a call uses the connection: its caller may abort, and the daemon may freeze. */
  #hold(wire: Wire, name: OperationName, input: object, signal?: AbortSignal) {
    const { clock, stopped } = this.#options;
    const over = new AbortController();
    let frozen: string | null = null;
    const leave = (): void => void wire.socket.destroy();
    const giveUp = (text: string): void => {
      frozen = text;
      leave();
    };
    signal?.addEventListener('abort', leave, { once: true });
    const untilMs = clock.steadyMs() + waitMsOf(name, input);
    void watchFrozen({ clock, stopped, untilMs, tell: this.tell, giveUp }, over.signal);
    return {
      reason: (error: unknown): unknown => {
        if (signal?.aborted) return signal.reason;
        // An error that the daemon answered: the connection is still good.
        if (error instanceof OutlastError && !(error instanceof DaemonLost)) return error;
        leave();
        if (error instanceof DaemonLost) return error;
        if (frozen !== null) return this.#lost('frozen', `${name}: ${frozen}`, error);
        const why = causeText(error);
        return this.#lost('lost', `${name}: lost the daemon at ${this.#options.path}: ${why}`, error);
      },
      end: (): void => {
        over.abort();
        signal?.removeEventListener('abort', leave);
      },
    };
  }

  async #connect(signal?: AbortSignal): Promise<Wire> {
    signal?.throwIfAborted();
    for (const wire of this.#idle) {
      this.#idle.delete(wire);
      if (!wire.usable) continue;
      wire.socket.ref();
      return wire;
    }
    try {
      return await this.#dial(signal);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (!isNobodyThere(error) || this.#options.start === null) throw this.#unreachable(error);
    }
    try {
      await this.#options.start(signal);
      return await this.#dial(signal);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw this.#unreachable(error);
    }
  }

  async #dial(signal?: AbortSignal): Promise<Wire> {
    const { path, clock, stopped } = this.#options;
    const deadlineMs = clock.steadyMs() + BUSY_MS_MAX;
    for (;;) {
      signal?.throwIfAborted();
      try {
        return await dial(path);
      } catch (error) {
        // A Unix socket with a full backlog refuses with EAGAIN: many callers came at once. A moment later it has room.
        if (errnoOf(error) !== 'EAGAIN') throw error;
        const pid = clock.steadyMs() > deadlineMs ? stopped() : null;
        if (pid !== null) throw this.#lost('frozen', frozenText(pid), error);
        if (clock.steadyMs() > deadlineMs) throw error;
      }
      await clock.sleep(BUSY_PAUSE_MS, signal);
    }
  }

  async #send(wire: Wire, name: OperationName, input: object): Promise<Head> {
    const { method, target, body } = askedFor(name, input);
    wire.socket.write(encodeRequest(method, target, body));
    const head = await readHead(wire);
    if (head === null) throw new Error('the connection ended before the answer');
    this.#wasReached = true;
    return head;
  }

  #release(wire: Wire, head: Head): void {
    if (!keepsAlive(head) || !wire.usable || this.#idle.size >= IDLE_MAX) return void wire.socket.destroy();
    wire.socket.unref();
    this.#idle.add(wire);
  }

  #lost(loss: DaemonLost['loss'], message: string, cause: unknown): DaemonLost {
    return new DaemonLost(message, { loss, wasReached: this.#wasReached, cause });
  }

  #unreachable(cause: unknown): unknown {
    const isSaid = cause instanceof OutlastError;
    if (cause instanceof DaemonLost || (isSaid && cause.code !== 'daemon_unreachable')) return cause;
    if (isSaid) return this.#lost('unstarted', cause.message, cause);
    // A daemon that was started and is gone again has died: the next one may not.
    const isGone = isNobodyThere(cause);
    const why = isGone ? 'no daemon is listening there' : causeText(cause);
    const loss = this.#options.start === null || !isGone ? 'absent' : 'lost';
    return this.#lost(loss, `cannot connect to ${this.#options.path}: ${why}`, cause);
  }
}

/** ECONNRESET: the daemon died before it accepted the connection. */
function isNobodyThere(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'ECONNRESET'].includes(errnoOf(error));
}
