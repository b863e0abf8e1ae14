import type { WebSocket } from 'ws';
import type { CallInput } from '../../api/contract.ts';
import {
  ALIVE_MS,
  CLOSED,
  CONTROL_CHANNEL,
  FROM_PAGE,
  FROM_SERVER,
  frame,
  jsonFrame,
  jsonIn,
  type LiveFrame,
  OUTPUT_CHANNEL,
  type OutputInput,
  readFrame,
  textOf,
} from '../../api/live-frames.ts';
import { type OperationName, ROUTES } from '../../api/routes.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Outlast } from '../../client/index.ts';
import type { Device } from '../sign-in/devices.ts';
import { Channel } from './channel.ts';
import { sendControl, type Typist } from './control.ts';
import { endFrame, sendOutput } from './output.ts';

/** What a connection needs. */
export interface LiveParts {
  readonly clock: Clock;
  readonly outlast: Outlast;
  /** The device of a ticket, which counts no more after this; null: the ticket is not good. */
  redeem(ticket: string): Device | null;
  /** Refuses an operation that the device may not use, and what a page may not say. */
  check(device: Device, name: OperationName, input: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Who types, and from which process; refuses what comes from inside a session. */
  typist(device: Device): Promise<Typist>;
  /** An error as a page gets it. */
  errorBody(error: unknown): unknown;
  /** Called when the ticket was good; false: there are too many connections. */
  arrived(connection: LiveConnection, device: Device): boolean;
}

const TICKET_MS_MAX = 2_000;
const CHANNELS_MAX = 64;
/** More than this unsent means that nobody reads. */
const UNSENT_BYTES_MAX = 32 * 1024 * 1024;

/** The connection of one tab: without a good ticket it gets nothing, then one stream for each channel that it opens. */
export class LiveConnection {
  readonly #parts: LiveParts;
  readonly #socket: WebSocket;
  readonly #channels = new Map<number, Channel>();
  readonly #over = new AbortController();
  #device: Device | null = null;

  constructor(parts: LiveParts, socket: WebSocket) {
    this.#parts = parts;
    this.#socket = socket;
    socket.on('message', (data, isBinary) => this.#take(data as Buffer, isBinary));
    socket.on('error', () => socket.terminate());
    // Each is answered, and who sends many may read no answer.
    socket.on('ping', () => this.#endUnread());
    socket.on('close', () => this.#left());
    void this.#awaitTicket();
  }

  get device(): Device | null {
    return this.#device;
  }

  /** Resolves when it is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Sends a frame about the connection itself. */
  tell(bytes: Uint8Array): void {
    this.#send(bytes);
  }

  /** Ends it; what was sent before is still delivered, but nothing more is taken. */
  close(code: number): void {
    this.#left();
    this.#socket.close(code);
    // A page that does not answer the close is not waited for.
    void this.#parts.clock.sleep(500).then(() => this.#socket.terminate());
  }

  async #awaitTicket(): Promise<void> {
    await this.#parts.clock.sleep(TICKET_MS_MAX, this.signal);
    if (this.#device === null && !this.signal.aborted) this.close(CLOSED.noTicket);
  }

  #left(): void {
    this.#over.abort();
    for (const channel of this.#channels.values()) channel.close();
    this.#channels.clear();
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (this.signal.aborted) return;
    const read = isBinary ? readFrame(new Uint8Array(data)) : null;
    if (read === null) return this.close(CLOSED.wrongFrame);
    if (this.#device === null) return this.#welcome(read);
    switch (read.type) {
      case FROM_PAGE.open:
        return this.#open(this.#device, read);
      case FROM_PAGE.ack:
        return this.#ack(read);
      case FROM_PAGE.input:
      case FROM_PAGE.paste:
        // Input for a channel that has just ended is not an error; it is not typed.
        return void this.#channels.get(read.channel)?.onInput(read);
      case FROM_PAGE.close:
        this.#channels.get(read.channel)?.close();
        return void this.#channels.delete(read.channel);
      default:
        return this.close(CLOSED.wrongFrame);
    }
  }

  #ack(read: LiveFrame): void {
    const bytes = jsonIn(read);
    if (!Number.isSafeInteger(bytes) || Number(bytes) < 0) return this.close(CLOSED.wrongFrame);
    this.#channels.get(read.channel)?.ack(Number(bytes));
  }

  #welcome(first: LiveFrame): void {
    const device = first.type === FROM_PAGE.ticket ? this.#parts.redeem(textOf(first)) : null;
    if (device === null) return this.close(CLOSED.noTicket);
    if (!this.#parts.arrived(this, device)) return this.close(CLOSED.tooMany);
    this.#device = device;
    this.#send(frame(FROM_SERVER.ready, 0));
    void this.#stayAlive();
  }

  async #stayAlive(): Promise<void> {
    for (;;) {
      await this.#parts.clock.sleep(ALIVE_MS, this.signal);
      if (this.signal.aborted) return;
      this.#send(frame(FROM_SERVER.alive, 0));
    }
  }

  #open(device: Device, { channel: id, payload }: LiveFrame): void {
    const wanted = jsonIn({ payload }) as { name?: unknown; input?: unknown } | undefined;
    if (id === 0 || this.#channels.has(id) || typeof wanted?.name !== 'string') return this.close(CLOSED.wrongFrame);
    if (this.#channels.size >= CHANNELS_MAX) {
      const error = new OutlastError('limit_reached', `a tab may have ${CHANNELS_MAX} streams`);
      return this.#send(jsonFrame(FROM_SERVER.error, id, this.#parts.errorBody(error)));
    }
    const channel = new Channel(id, (bytes) => this.#send(bytes));
    this.#channels.set(id, channel);
    const input = (wanted.input ?? {}) as Record<string, unknown>;
    void this.#run(device, channel, wanted.name, input);
  }

  async #run(device: Device, channel: Channel, name: string, input: Record<string, unknown>): Promise<void> {
    try {
      await this.#stream(device, channel, name, input);
      this.#send(endFrame(channel));
    } catch (error) {
      if (!channel.signal.aborted) this.#send(jsonFrame(FROM_SERVER.error, channel.id, this.#parts.errorBody(error)));
    } finally {
      channel.close();
      if (this.#channels.get(channel.id) === channel) this.#channels.delete(channel.id);
    }
  }

  async #stream(device: Device, channel: Channel, name: string, input: Record<string, unknown>): Promise<void> {
    const { outlast, clock } = this.#parts;
    if (name === OUTPUT_CHANNEL) {
      await this.#parts.check(device, 'session.follow', { session: input.session });
      return sendOutput(outlast, channel, outputInput(input));
    }
    if (name === CONTROL_CHANNEL) {
      await this.#parts.check(device, name, input);
      const typist = await this.#parts.typist(device);
      return sendControl(outlast, channel, String(input.session ?? ''), typist);
    }
    if (!isReading(name)) throw new OutlastError('input_invalid', `there is no stream ${name}`);
    await this.#parts.check(device, name, input);
    const given = input as CallInput<typeof name>;
    // A stream that cannot begin must not count as current.
    await outlast.transport.call('daemon.status', {}, channel.signal);
    if (ROUTES[name].kind === 'stream')
      return channel.lines(outlast.transport.follow(name, given, channel.signal), clock);
    await channel.send(
      jsonFrame(FROM_SERVER.line, channel.id, await outlast.transport.call(name, given, channel.signal)),
    );
  }

  #send(bytes: Uint8Array): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (!this.#endUnread()) this.#socket.send(bytes);
  }

  /** Ends a connection whose other side does not read. */
  #endUnread(): boolean {
    const isUnread = this.#socket.bufferedAmount > UNSENT_BYTES_MAX;
    if (isUnread) this.#socket.terminate();
    return isUnread;
  }
}

/** Operations that change nothing; the rest are calls. */
function isReading(name: string): name is OperationName {
  return Object.hasOwn(ROUTES, name) && ROUTES[name as OperationName].does === 'reads';
}

function outputInput({ session, from, skipBytes }: Readonly<Record<string, unknown>>): OutputInput {
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
  if (typeof session !== 'string' || !isCount(from) || !(skipBytes === undefined || isCount(skipBytes)))
    throw new OutlastError('input_invalid', `${OUTPUT_CHANNEL}: needs a session and an offset`);
  return { session, from, skipBytes };
}
