import { join } from 'node:path';
import type { WebSocket } from 'ws';
import type { Outgoing } from '../../agent/seam/server.ts';
import { assert } from '../../base/assert.ts';
import { OutlastError } from '../../base/errors.ts';
import { causeText } from '../../base/system-errors.ts';
import { socketListeners } from '../../terminal/listeners.ts';
import { runFolder } from '../../terminal/run-folder.ts';
import { incomingOf } from './incoming.ts';
import type { WireOver, WireParts } from './parts.ts';
import { isGone, keepConnected } from './reconnecting.ts';
import { ALL_BYTES, NotSent, type Taken, type Wire } from './wire.ts';

/** One message of an agent. */
const FRAME_BYTES_MAX = 64 * 1024 * 1024;

type Parts = WireParts<WireOver<'websocket'>>;

/** Frames over a Unix socket in the folder of the run. Messages are sent only to a process of the run. */
export function websocketWire(parts: Parts): Wire {
  return new WebsocketWire(parts);
}

class WebsocketWire implements Wire {
  connection = 0;
  readonly #parts: Parts;
  readonly #path: string;
  readonly #stopping = new AbortController();
  readonly #queue: Taken[] = [];
  #socket: WebSocket | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#path = join(runFolder(parts.state, parts.ref).folder, parts.wire.socket);
    void keepConnected(parts, () => this.#connect(), this.#stopping.signal);
  }

  get state(): Wire['state'] {
    if (this.#socket !== null) return 'open';
    return isGone(this.#parts) ? 'closed' : 'connecting';
  }

  async past(): Promise<readonly Outgoing[]> {
    return [];
  }

  take(): readonly Taken[] {
    return this.#queue.splice(0);
  }

  async send(message: Outgoing): Promise<void> {
    assert(message.is === 'message', 'only messages go over a websocket');
    if (this.#socket === null) throw new NotSent(`the agent is not connected on ${this.#path}`);
    return sendFrame(this.#socket, JSON.stringify(message.data));
  }

  close(): void {
    this.#stopping.abort();
    this.#socket?.terminate();
  }

  /**
   * Resolves when the connection has ended. If the same process listens before and after connecting, the connection is
   * to it.
   */
  async #connect(): Promise<'over' | 'later'> {
    const { state, ref, log, onChange } = this.#parts;
    const before = socketListeners(state, ref, this.#path);
    if (before.is === 'foreign') log('a socket is held by a process of another run', { ...ref, path: this.#path });
    if (before.is !== 'ours') return 'later';
    const early: Taken[] = [];
    let take = (one: Taken): unknown => early.push(one);
    const received = (text: string): unknown => take({ message: incomingOf(text), atBytes: ALL_BYTES });
    const socket = await connected(this.#path, this.#stopping.signal, received);
    const after = socketListeners(state, ref, this.#path);
    if (after.is !== 'ours' || after.key !== before.key) {
      socket.terminate();
      return 'later';
    }
    this.#queue.push(...early);
    take = (one) => {
      this.#queue.push(one);
      onChange();
    };
    this.#socket = socket;
    this.connection += 1;
    onChange();
    await new Promise((resolve) => socket.once('close', resolve));
    this.#socket = null;
    onChange();
    return 'over';
  }
}

/** A message that fails here may have arrived in part or as a whole. */
function sendFrame(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(text, (cause) => {
      if (!cause) return resolve();
      reject(new OutlastError('terminal_failed', `a message may not have arrived: ${causeText(cause)}`, { cause }));
    });
  });
}

async function connected(path: string, signal: AbortSignal, take: (text: string) => void): Promise<WebSocket> {
  // Loaded when an agent needs it.
  const { WebSocket: Socket } = await import('ws');
  const socket = new Socket(`ws+unix://${path}:/`, { maxPayload: FRAME_BYTES_MAX, perMessageDeflate: false });
  socket.on('message', (data) => take(String(data)));
  const stop = (): void => socket.terminate();
  signal.addEventListener('abort', stop, { once: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    // It stays for later errors: an error is followed by the close, which is awaited.
    socket.on('error', (cause) =>
      reject(new OutlastError('terminal_failed', `cannot connect to ${path}: ${causeText(cause)}`, { cause })),
    );
  }).finally(() => signal.removeEventListener('abort', stop));
  return socket;
}
