import {
  ALIVE_MS,
  CLOSED,
  FROM_PAGE,
  FROM_SERVER,
  frame,
  jsonFrame,
  jsonIn,
  type LiveFrame,
  readFrame,
} from '../../api/live-frames.ts';
import { type DeviceView, PAGE_PATHS } from '../../api/page-shape.ts';
import type { Clock } from '../../base/clock.ts';
import { DaemonLost } from '../../client/lost.ts';
import { PageChannel } from './channel.ts';

/** How the connection changes. */
export interface SocketListener {
  /** `revoked`: the server ended it for good. */
  changed(to: 'up' | 'down' | 'revoked'): void;
  /** Something of a channel: it was opened, or became current, or ended. */
  moved(): void;
  /** Another browser was signed in. */
  newcomer(device: DeviceView): void;
  /** A channel got an answer of the daemon, or the error that there is none. */
  heard(daemon: 'here' | 'away'): void;
}

interface SocketParts {
  readonly clock: Clock;
  ticket(): Promise<string>;
  readonly listener: SocketListener;
}

const PAUSES_MS = [0, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 16_000];
const READY_MS_MAX = 10_000;
const SILENT_MS_MAX = 2 * ALIVE_MS + 5_000;
/** An answer to a person who waits for it. */
const PROOF_MS_MAX = 4_000;
const CLOSED_BY_US = 1000;

/** The one connection of this tab. It is tried until it works, and again when it breaks; channels end when it does. */
export class LiveSocket {
  readonly #parts: SocketParts;
  readonly #channels = new Map<number, PageChannel>();
  #socket: WebSocket | null = null;
  #isUp = false;
  #lastChannel = 0;
  #isWanted = false;
  #run = new AbortController();
  /** Resolves when the connection is up. */
  #up = Promise.withResolvers<void>();
  #hurry = new AbortController();
  #heardMs = 0;

  constructor(parts: SocketParts) {
    this.#parts = parts;
  }

  get channels(): readonly PageChannel[] {
    return [...this.#channels.values()];
  }

  start(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#run = new AbortController();
    void this.#keep(this.#run.signal);
  }

  /** Ends the connection, and does not try again. */
  stop(): void {
    this.#isWanted = false;
    this.#run.abort();
    this.#drop();
  }

  /** Tries now, instead of after the pause; a connection that may be dead is asked to prove itself. */
  retry(): void {
    this.#hurry.abort();
    if (this.#isUp && this.#socket !== null) void this.#prove(this.#socket);
  }

  /** After a sleep or in another network a connection may be dead, and nobody has said so: any answer will do. */
  async #prove(socket: WebSocket): Promise<void> {
    const beforeMs = this.#heardMs;
    this.#lastChannel += 1;
    this.#send(jsonFrame(FROM_PAGE.open, this.#lastChannel, { name: 'daemon.status', input: {} }));
    await this.#parts.clock.sleep(PROOF_MS_MAX);
    if (this.#socket === socket && this.#isUp && this.#heardMs === beforeMs) this.#abandon(socket);
  }

  /** Opens a stream, as soon as there is a connection. */
  async open(name: string, input: object, signal: AbortSignal | undefined): Promise<PageChannel> {
    while (!this.#isUp) {
      signal?.throwIfAborted();
      await Promise.race([this.#up.promise, aborted(signal)]);
    }
    signal?.throwIfAborted();
    this.#lastChannel += 1;
    const id = this.#lastChannel;
    const channel = new PageChannel(id, {
      send: (bytes) => this.#send(bytes),
      ended: () => {
        this.#channels.delete(id);
        this.#parts.listener.moved();
      },
    });
    this.#channels.set(id, channel);
    this.#send(jsonFrame(FROM_PAGE.open, id, { name, input }));
    this.#parts.listener.moved();
    return channel;
  }

  async #keep(over: AbortSignal): Promise<void> {
    for (let tries = 0; !over.aborted; ) {
      this.#hurry = new AbortController();
      const pauseMs = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 0;
      const jitter = 0.75 + Math.random() / 2;
      await this.#parts.clock.sleep(pauseMs * jitter, AbortSignal.any([over, this.#hurry.signal]));
      if (over.aborted) return;
      tries += 1;
      const code = await this.#connectOnce(over, () => {
        tries = 0;
      });
      if (over.aborted) return;
      this.#parts.listener.changed(code === CLOSED.revoked ? 'revoked' : 'down');
    }
  }

  /** One connection, from its ticket to its end. Returns the close code. */
  async #connectOnce(over: AbortSignal, isUp: () => void): Promise<number> {
    try {
      const ticket = await this.#parts.ticket();
      if (over.aborted) return CLOSED_BY_US;
      const url = new URL(PAGE_PATHS.live, location.href);
      url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
      const socket = new WebSocket(url);
      this.#socket = socket;
      socket.binaryType = 'arraybuffer';
      this.#heardMs = this.#parts.clock.steadyMs();
      const ended = new Promise<number>((resolve) => {
        socket.onclose = ({ code }) => resolve(code);
      });
      socket.onopen = () => socket.send(frame(FROM_PAGE.ticket, 0, new TextEncoder().encode(ticket)));
      socket.onmessage = ({ data }) => {
        const read = readFrame(new Uint8Array(data as ArrayBuffer));
        if (read?.type === FROM_SERVER.ready) this.#came(isUp);
        else if (read !== null) this.#take(read);
      };
      const watch = new AbortController();
      void this.#watch(socket, watch.signal);
      const code = await ended;
      watch.abort();
      return code;
    } catch {
      // The ticket could not be fetched: what to do is decided by who asked for it.
      return 0;
    } finally {
      this.#drop();
    }
  }

  #came(isUp: () => void): void {
    this.#isUp = true;
    isUp();
    this.#parts.listener.changed('up');
    this.#up.resolve();
  }

  #take(read: LiveFrame): void {
    this.#heardMs = this.#parts.clock.steadyMs();
    if (read.type === FROM_SERVER.alive) return;
    if (read.type === FROM_SERVER.newcomer) return this.#parts.listener.newcomer(jsonIn(read) as DeviceView);
    const heard = this.#channels.get(read.channel)?.take(read);
    if (heard !== undefined) this.#parts.listener.heard(heard);
    this.#parts.listener.moved();
  }

  /** A connection that says nothing for long is dead, whatever the browser believes. */
  async #watch(socket: WebSocket, over: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    await clock.sleep(READY_MS_MAX, over);
    if (!over.aborted && !this.#isUp) this.#abandon(socket);
    while (!over.aborted) {
      await clock.sleep(ALIVE_MS / 3, over);
      if (!over.aborted && clock.steadyMs() - this.#heardMs > SILENT_MS_MAX) this.#abandon(socket);
    }
  }

  /** Closes a connection that does not answer. The close itself would be waited for as long as the browser likes. */
  #abandon(socket: WebSocket): void {
    socket.onmessage = null;
    socket.close();
    socket.onclose?.(new CloseEvent('close', { code: 1006 }));
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    if (this.#isUp) this.#up = Promise.withResolvers<void>();
    this.#isUp = false;
    if (socket !== null) {
      socket.onmessage = null;
      socket.close();
    }
    const lost = new DaemonLost('lost the connection to the server', { loss: 'lost', wasReached: true });
    for (const channel of this.channels) channel.fail(lost);
  }

  #send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(bytes);
  }
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
