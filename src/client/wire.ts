import type { Socket } from 'node:net';
import { net } from './node.ts';

const BYTES_MAX = 16 * 1024 * 1024;

/** One connection, read at the pace of its reader. Received bytes that are not consumed yet are in `held`. */
export class Wire {
  readonly socket: Socket;
  held: Buffer = Buffer.alloc(0);
  #failed: Error | null = null;
  #ended = false;
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('readable', () => this.#wake());
    socket.on('end', () => this.#over(null));
    socket.on('error', (error) => this.#over(error));
    socket.on('close', () => this.#over(null));
  }

  get usable(): boolean {
    return !this.#ended && !this.socket.destroyed && this.held.length === 0;
  }

  /** Waits for more bytes; false at the end of the connection. */
  async more(): Promise<boolean> {
    for (;;) {
      const chunk: Buffer | null = this.socket.read();
      if (chunk !== null) {
        this.held = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
        return true;
      }
      if (this.#failed !== null) throw this.#failed;
      if (this.#ended) return false;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The next line without its end; null when the connection ended first. */
  async line(): Promise<string | null> {
    for (;;) {
      const end = this.held.indexOf('\r\n');
      if (end >= 0) return this.take(end + 2).toString('latin1', 0, end);
      if (this.held.length > BYTES_MAX) throw new Error('a header line without end');
      if (!(await this.more())) return null;
    }
  }

  /** Consumes at most this many of the bytes received. */
  take(bytesMax: number): Buffer {
    const taken = this.held.subarray(0, bytesMax);
    this.held = this.held.subarray(taken.length);
    return taken;
  }

  #over(error: Error | null): void {
    this.#failed ??= error;
    this.#ended = true;
    this.#wake();
  }
}

/** Connects to a Unix socket. */
export function dial(path: string): Promise<Wire> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(path);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(new Wire(socket));
    });
  });
}
