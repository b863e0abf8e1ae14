import { WebSocket } from 'ws';
import {
  FROM_PAGE,
  FROM_SERVER,
  frame,
  jsonFrame,
  jsonIn,
  type LiveFrame,
  readFrame,
} from '../../src/api/live-frames.ts';
import { PAGE_PATHS } from '../../src/api/page-shape.ts';
import { eventually } from '../eventually.ts';
import type { WebDevice, WebWorld } from './web-world.ts';

/** A live connection by hand: what it got, and how it ended. */
export class LiveClient {
  readonly frames: LiveFrame[] = [];
  bytes = 0;
  /** The close code; 0 when the connection was refused. */
  closed: number | null = null;
  readonly socket: WebSocket;
  readonly #reading = new Set<number>();
  #lastChannel = 0;

  constructor(world: WebWorld, headers: Readonly<Record<string, string>> = { origin: world.origin }) {
    this.socket = new WebSocket(`ws://${world.host}${PAGE_PATHS.live}`, { headers });
    this.socket.on('message', (data: Buffer) => {
      this.bytes += data.length;
      const read = readFrame(new Uint8Array(data));
      if (read === null) return;
      this.frames.push(read);
      if (this.#reading.has(read.channel)) this.ack(read.channel, data.length);
    });
    this.socket.on('error', () => {});
    this.socket.on('close', (code) => {
      this.closed = code === 1006 ? 0 : code;
    });
  }

  /** Connected, with a good ticket. */
  static async of(world: WebWorld, device: WebDevice): Promise<LiveClient> {
    const client = new LiveClient(world);
    await client.sends(await device.ticket());
    await eventually(() => client.isReady || client.closed !== null, { what: 'a live connection' });
    return client;
  }

  get isReady(): boolean {
    return this.frames.some(({ type }) => type === FROM_SERVER.ready);
  }

  /** Sends a ticket as soon as the connection is open. */
  async sends(ticket: string): Promise<void> {
    await eventually(() => this.socket.readyState === WebSocket.OPEN || this.closed !== null);
    if (this.closed === null) this.socket.send(frame(FROM_PAGE.ticket, 0, Buffer.from(ticket)));
  }

  open(name: string, input: object = {}): number {
    this.#lastChannel += 1;
    this.socket.send(jsonFrame(FROM_PAGE.open, this.#lastChannel, { name, input }));
    return this.#lastChannel;
  }

  ack(channel: number, bytes: number): void {
    this.socket.send(jsonFrame(FROM_PAGE.ack, channel, bytes));
  }

  /** Acknowledges all that has come and that comes. */
  reads(channel: number): void {
    this.#reading.add(channel);
    const bytes = this.of(channel).reduce((sum, { payload }) => sum + payload.length + 5, 0);
    this.ack(channel, bytes);
  }

  /** The frames of a channel. */
  of(channel: number): LiveFrame[] {
    return this.frames.filter((each) => each.channel === channel);
  }

  /** The error of a channel. */
  async error(channel: number): Promise<{ code: string; message: string }> {
    const found = await eventually(() => this.of(channel).find(({ type }) => type === FROM_SERVER.error));
    return (jsonIn(found) as { error: { code: string; message: string } }).error;
  }

  close(): void {
    this.socket.terminate();
  }
}
