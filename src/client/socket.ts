import type { CallInput, CallOutput } from '../api/contract.ts';
import { type OperationName, ROUTES, type Route } from '../api/routes.ts';
import type { Transport } from '../api/transport.ts';
import type { Clock } from '../base/clock.ts';
import { CODES, type ErrorCode, errnoOf, OutlastError } from '../base/errors.ts';
import { encodeRequest, type Head, keepsAlive, readBody, readHead, readLines } from './http1.ts';
import { dial, type Wire } from './wire.ts';

export interface SocketOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Starts the daemon when nobody listens; null: that is an error. */
  readonly start: ((signal?: AbortSignal) => Promise<void>) | null;
}

const IDLE_MAX = 8;
const TRIES_MAX = 3;
const BUSY_MS_MAX = 10_000;
const BUSY_PAUSE_MS = 10;

// Doing these twice is the same as doing them once, so a connection that broke in between is no reason to give up.
const REPEATABLE: ReadonlySet<OperationName> = new Set([
  'session.ack', 'session.background', 'session.stop', 'session.resize', 'session.prune',
  'session.handoff', 'boot.run', 'tmux.find', 'tmux.capture', 'tmux.wait',
]); // biome-ignore format: one glance is better than eight lines

/** Talks to the daemon over its Unix socket. Connections are kept for the next call; they keep no program alive. */
export class SocketTransport implements Transport {
  readonly #options: SocketOptions;
  readonly #idle = new Set<Wire>();

  constructor(options: SocketOptions) {
    this.#options = options;
  }

  async call<N extends OperationName>(name: N, input: CallInput<N>, signal?: AbortSignal): Promise<CallOutput<N>> {
    const exchange = async (wire: Wire): Promise<CallOutput<N>> => {
      const head = await this.#send(wire, name, input);
      const parts: Buffer[] = [];
      for await (const part of readBody(wire, head)) parts.push(part);
      this.#release(wire, head);
      return answerOf(head, Buffer.concat(parts).toString('utf8')) as CallOutput<N>;
    };
    return this.#ask(name, input, exchange, signal);
  }

  async *follow<N extends OperationName>(
    name: N,
    input: CallInput<N>,
    signal?: AbortSignal,
  ): AsyncGenerator<CallOutput<N>, void, void> {
    const exchange = async (wire: Wire) => ({ wire, head: await this.#send(wire, name, input) });
    const { wire, head } = await this.#ask(name, input, exchange, signal);
    const leave = (): void => void wire.socket.destroy();
    signal?.addEventListener('abort', leave, { once: true });
    try {
      for await (const line of readLines(readBody(wire, head))) yield answerOf(head, line) as CallOutput<N>;
      this.#release(wire, head);
    } catch (error) {
      throw this.#reasonOf(error, name, signal);
    } finally {
      signal?.removeEventListener('abort', leave);
      if (!this.#idle.has(wire)) leave();
    }
  }

  /** Closes the connections that are kept. The transport can still be used: it opens new ones. */
  close(): void {
    for (const wire of this.#idle) wire.socket.destroy();
    this.#idle.clear();
  }

  async #ask<T>(
    name: OperationName,
    input: object,
    exchange: (wire: Wire) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      signal?.throwIfAborted();
      const wire = await this.#connect(signal);
      const leave = (): void => void wire.socket.destroy();
      signal?.addEventListener('abort', leave, { once: true });
      try {
        return await exchange(wire);
      } catch (error) {
        if (!(error instanceof OutlastError)) leave();
        const reason = this.#reasonOf(error, name, signal);
        if (reason === error || signal?.aborted || tries >= TRIES_MAX || !isRepeatable(name, input)) throw reason;
      } finally {
        signal?.removeEventListener('abort', leave);
      }
    }
  }

  async #connect(signal?: AbortSignal): Promise<Wire> {
    for (const wire of this.#idle) {
      this.#idle.delete(wire);
      if (!wire.usable) continue;
      wire.socket.ref();
      return wire;
    }
    try {
      return await this.#dial(signal);
    } catch (error) {
      if (!isNobodyThere(error)) throw unreachable(this.#options.path, error);
      if (this.#options.start === null) throw unreachable(this.#options.path, error);
    }
    await this.#options.start(signal);
    return this.#dial(signal).catch((error: unknown) => {
      throw unreachable(this.#options.path, error);
    });
  }

  async #dial(signal?: AbortSignal): Promise<Wire> {
    const { path, clock } = this.#options;
    const deadlineMs = clock.steadyMs() + BUSY_MS_MAX;
    for (;;) {
      signal?.throwIfAborted();
      try {
        return await dial(path);
      } catch (error) {
        // A Unix socket with a full backlog refuses with EAGAIN: many callers came at once. It has room in a moment.
        if (errnoOf(error) !== 'EAGAIN' || clock.steadyMs() > deadlineMs) throw error;
      }
      await clock.sleep(BUSY_PAUSE_MS, signal);
    }
  }

  async #send(wire: Wire, name: OperationName, input: object): Promise<Head> {
    wire.socket.write(requestOf(ROUTES[name], input));
    const head = await readHead(wire);
    if (head === null) throw new Error('the connection ended before the answer');
    return head;
  }

  #release(wire: Wire, head: Head): void {
    if (!keepsAlive(head) || !wire.usable || this.#idle.size >= IDLE_MAX) return void wire.socket.destroy();
    wire.socket.unref();
    this.#idle.add(wire);
  }

  #reasonOf(error: unknown, name: OperationName, signal?: AbortSignal): unknown {
    if (signal?.aborted) return signal.reason;
    if (error instanceof OutlastError) return error;
    const why = error instanceof Error ? error.message : String(error);
    return new OutlastError('daemon_unreachable', `${name}: lost the daemon at ${this.#options.path}: ${why}`, {
      cause: error,
    });
  }
}

function isRepeatable(name: OperationName, input: object): boolean {
  const isKeyed = (name === 'session.start' || name === 'session.prompt') && 'key' in input;
  return ROUTES[name].method === 'GET' || REPEATABLE.has(name) || isKeyed;
}

/** ECONNRESET: whoever was called died before it could answer the door. */
function isNobodyThere(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'ECONNRESET'].includes(errnoOf(error));
}

function unreachable(path: string, cause: unknown): OutlastError {
  const why = isNobodyThere(cause) ? 'no daemon listens there' : cause instanceof Error ? cause.message : String(cause);
  return new OutlastError('daemon_unreachable', `cannot connect to ${path}: ${why}`, { cause });
}

function requestOf(route: Route, input: object): string {
  const rest = Object.entries(input).filter(([key, value]) => value !== undefined && !route.path.includes(`:${key}`));
  const given = new Map(Object.entries(input));
  const target = route.path.replace(/:(\w+)/, (_, key: string) => encodeURIComponent(String(given.get(key) ?? '')));
  if (route.method === 'POST') return encodeRequest('POST', target, JSON.stringify(Object.fromEntries(rest)));
  // A list is its key given several times.
  const pairs = rest.flatMap(([key, value]) => [value].flat().map((each): [string, string] => [key, String(each)]));
  const query = new URLSearchParams(pairs).toString();
  return encodeRequest(route.method, query === '' ? target : `${target}?${query}`, null);
}

function answerOf(head: Head, json: string): unknown {
  const answer: unknown = JSON.parse(json);
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) {
    if (head.status === 200) return answer;
    throw new OutlastError('internal', `the daemon answered ${head.status} without an error: ${json.slice(0, 200)}`);
  }
  const { code, message } = answer.error as { code: string; message: string };
  throw new OutlastError(code in CODES ? (code as ErrorCode) : 'internal', message);
}
