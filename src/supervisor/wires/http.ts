import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect as connectTo, type Socket } from 'node:net';
import type { Outgoing } from '../../agent/seam/server.ts';
import { assert } from '../../base/assert.ts';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { writeWhole } from '../../base/files.ts';
import { causeText } from '../../base/system-errors.ts';
import { portListeners } from '../../terminal/listeners.ts';
import { runFolder } from '../../terminal/run-folder.ts';
import { readIfThere } from '../../terminal/small-file.ts';
import { bodyOf, jsonOr } from './http-body.ts';
import { incomingOf } from './incoming.ts';
import { OutputLines } from './output-lines.ts';
import type { WireOver, WireParts } from './parts.ts';
import { loginHeaders } from './password.ts';
import { isGone, keepConnected } from './reconnecting.ts';
import { EventReader } from './sse.ts';
import { ALL_BYTES, NotSent, type Taken, type Wire } from './wire.ts';

const HOST = '127.0.0.1';

type Call = Extract<Outgoing, { is: 'call' }>;
type Options = Pick<Call, 'method' | 'path'> & { readonly headers: Readonly<Record<string, string>> };

/** HTTP calls to a port that the agent prints, and its server-sent events. Open while the events arrive. */
export function httpWire(parts: WireParts<WireOver<'http'>>): Wire {
  return new HttpWire(parts);
}

class HttpWire implements Wire {
  connection = 0;
  readonly #parts: WireParts<WireOver<'http'>>;
  readonly #output: OutputLines;
  readonly #stopping = new AbortController();
  readonly #queue: Taken[] = [];
  readonly #sockets = new Set<Socket>();
  #port: number | null = null;
  #isOpen = false;

  constructor(parts: WireParts<WireOver<'http'>>) {
    this.#parts = parts;
    const { output } = runFolder(parts.state, parts.ref);
    this.#output = new OutputLines(output, 0, () => {});
    void keepConnected(parts, () => this.#listen(), this.#stopping.signal);
  }

  get state(): Wire['state'] {
    return this.#isOpen ? 'open' : isGone(this.#parts) ? 'closed' : 'connecting';
  }

  async past(): Promise<readonly Outgoing[]> {
    return [];
  }

  take(): readonly Taken[] {
    return this.#queue.splice(0);
  }

  async send(message: Outgoing): Promise<void> {
    assert(message.is === 'call', 'only calls go over http');
    if (!this.#isOpen || this.#port === null) throw new NotSent('the agent is not connected');
    const socket = await this.#connect(this.#port).catch((cause: unknown) => {
      throw new NotSent(`cannot connect to the agent: ${causeText(cause)}`, { cause });
    });
    return this.#call(socket, message);
  }

  close(): void {
    this.#stopping.abort();
    this.#output.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Resolves when no more events come. */
  async #listen(): Promise<'over' | 'later'> {
    this.#port ??= this.#findPort();
    if (this.#port === null) return 'later';
    const socket = await this.#connect(this.#port);
    const headers = { accept: EVENTS, ...this.#login };
    const asked = ask(socket, { method: 'GET', path: this.#parts.wire.events, headers });
    asked.end();
    const response = await answered(asked);
    if (response.statusCode !== 200) {
      socket.destroy();
      return 'later';
    }
    const reader = new EventReader();
    response.setEncoding('utf8');
    response.on('data', (piece: string) => {
      for (const data of reader.read(piece)) this.#queue.push({ message: incomingOf(data), atBytes: ALL_BYTES });
      this.#parts.onChange();
    });
    this.connection += 1;
    this.#isOpen = true;
    this.#parts.onChange();
    await new Promise((resolve) => response.once('close', resolve));
    this.#isOpen = false;
    this.#parts.onChange();
    return 'over';
  }

  get #login(): Readonly<Record<string, string>> {
    const { state, ref, wire } = this.#parts;
    return loginHeaders(wire, runFolder(state, ref));
  }

  /** Kept in a file: the line with the port is at the beginning of the output, which may be freed. */
  #findPort(): number | null {
    const { port: path } = runFolder(this.#parts.state, this.#parts.ref);
    const kept = Number(readIfThere(path)?.toString('utf8') ?? 0);
    const port = kept > 0 ? kept : this.#printedPort();
    if (port !== null && port !== kept) writeWhole(path, `${port}\n`);
    return port;
  }

  #printedPort(): number | null {
    for (let lines = this.#output.next(); lines.length > 0; lines = this.#output.next()) {
      const port = lines.map(({ text }) => this.#parts.wire.port(text)).find((found) => found !== null);
      if (port === undefined) continue;
      this.#output.close();
      return port;
    }
    return null;
  }

  /**
   * A connection to a process of the run. If the same process listens before and after connecting, the connection is to
   * it; until something is sent, no other process has learned anything.
   */
  async #connect(port: number): Promise<Socket> {
    const { state, ref, log } = this.#parts;
    const before = await portListeners(state, ref, port);
    if (before.is === 'foreign') log('a port is held by a process of another run', { session: ref.session, port });
    if (before.is !== 'ours') throw new OutlastError('terminal_failed', `${before.is} listens on port ${port}`);
    const socket = connectTo({ host: HOST, port });
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
      socket.once('close', () => reject(new OutlastError('terminal_failed', 'the connection was closed')));
    });
    const after = await portListeners(state, ref, port);
    if (after.is === 'ours' && after.key === before.key) return socket;
    socket.destroy();
    throw new OutlastError('terminal_failed', `another process listens on port ${port}`);
  }

  /** Resolves when the call was sent. Its response, or error, is read later. */
  async #call(socket: Socket, { id, method, path, body }: Call): Promise<void> {
    const text = body === undefined ? null : JSON.stringify(body);
    const headers = { ...(text !== null && { 'content-type': 'application/json' }), ...this.#login };
    const asked = ask(socket, { method, path, headers });
    const answer = (status: number, data: unknown): void => {
      this.#queue.push({ message: { is: 'answer', to: id, status, data }, atBytes: ALL_BYTES });
      this.#parts.onChange();
    };
    void answered(asked)
      .then(async (response) => answer(response.statusCode ?? 0, jsonOr(await bodyOf(response))))
      .catch(() => answer(0, null))
      .finally(() => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      asked.once('finish', resolve);
      asked.once('error', (cause) => reject(broken(cause)));
      asked.end(text ?? undefined);
    });
  }
}

const EVENTS = 'text/event-stream';

function ask(socket: Socket, { method, path, headers }: Options): ClientRequest {
  return request({ host: HOST, method, path, headers, createConnection: () => socket });
}

function answered(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('error', (cause) => reject(broken(cause)));
    asked.once('close', () => reject(broken(null)));
  });
}

function broken(cause: unknown): OutlastError {
  const why = errnoOf(cause) === '' ? 'it was closed' : causeText(cause);
  return new OutlastError('terminal_failed', `the connection to the agent broke: ${why}`, { cause });
}
