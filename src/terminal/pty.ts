import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ReadStream } from 'node:tty';
import library from '@lydell/node-pty';
import type { Clock } from '../base/clock.ts';
import { errnoOf } from '../base/errors.ts';
import type { Size } from '../core/session.ts';

/** What to run on a new pseudoterminal. */
export interface PtyProgram {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly size: Size;
}

/** Receives the output of a pseudoterminal. */
export interface PtyReader {
  output(bytes: Uint8Array): void;
  /** The program has ended and all it printed was given to output(). */
  drained(): void;
}

/**
 * A child may keep the terminal open after the program's end; after this much silence, the program's own output is
 * complete.
 */
const QUIET_MS = 200;
/** How much is still read from a child that keeps printing: the kernel buffers far less of the program's own output. */
const REST_BYTES_MAX = 1024 * 1024;
/** Retry interval while the program does not read its input. */
const FULL_AGAIN_MS = 10;

/**
 * A program on a native pseudoterminal.
 *
 * Built on the library's native part alone. Its stream drops what is unread 200 ms after the exit, also while it is
 * paused, and spins while the program does not read its input. Here instead: the other end is kept open until the exit,
 * so that a hangup can never overtake output on its way through the event loop, and the rest is read by hand.
 */
export class Pty {
  readonly pid: number;
  readonly #fd: number;
  readonly #otherEnd: number;
  readonly #stream: ReadStream;
  readonly #reader: PtyReader;
  readonly #clock: Clock;
  readonly #holds = new Set<string>();
  #input: Uint8Array[] = [];
  #inputBytes = 0;
  #writing = false;
  #ended = false;
  #tookAtMs = 0;
  /** Read after the program's end. */
  #restBytes = 0;

  constructor(program: PtyProgram, reader: PtyReader, clock: Clock) {
    const [file, ...rest] = program.argv;
    const env = Object.entries(program.env).map(([name, value]) => `${name}=${value}`);
    const { columns, rows } = program.size;
    this.#reader = reader;
    this.#clock = clock;
    const onExit = (): void => void this.#drain();
    const made = native.fork(file, rest, env, '/', columns, rows, -1, -1, false, starter(), onExit);
    this.pid = made.pid;
    this.#fd = made.fd;
    this.#otherEnd = openSync(made.pty, constants.O_RDWR | constants.O_NOCTTY);
    // Half open: an early end of file that only the event loop sees must not close what is left to read.
    this.#stream = new ReadStream(made.fd, { allowHalfOpen: true, autoDestroy: false } as object);
    this.#stream.on('data', (bytes: Buffer) => this.#take(bytes));
    // The end of a terminal is reported as a read error, and closes the stream.
    this.#stream.on('error', () => {});
  }

  /** Input that the program's terminal has not accepted yet. */
  get pendingBytes(): number {
    return this.#inputBytes;
  }

  /** Appends input to what is pending. */
  write(bytes: Uint8Array): void {
    if (this.#ended || bytes.length === 0) return;
    this.#input.push(bytes);
    this.#inputBytes += bytes.length;
    void this.#writeAll();
  }

  resize(size: Size): void {
    if (!this.#ended) native.resize(this.#fd, size.columns, size.rows, 0, 0);
  }

  /** Stops reading, so that the program blocks. Reading continues when every reason to hold is released. */
  hold(why: string): void {
    this.#holds.add(why);
    this.#stream.pause();
  }

  release(why: string): void {
    if (this.#holds.delete(why) && this.#holds.size === 0) this.#stream.resume();
  }

  async #writeAll(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    for (let first = this.#input[0]; first !== undefined; first = this.#input[0]) {
      const bytes = this.#writeSome(first);
      this.#inputBytes -= bytes;
      if (bytes === first.length) this.#input.shift();
      else this.#input[0] = first.subarray(bytes);
      if (bytes === 0) await this.#clock.sleep(FULL_AGAIN_MS);
    }
    this.#writing = false;
  }

  #writeSome(bytes: Uint8Array): number {
    if (this.#ended) return bytes.length; // There is no program left to read it.
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      if (errnoOf(error) === 'EAGAIN') return 0;
      throw error;
    }
  }

  #take(bytes: Uint8Array): void {
    this.#tookAtMs = this.#clock.steadyMs();
    if (this.#ended) this.#restBytes += bytes.length;
    this.#reader.output(bytes);
  }

  /**
   * The stream continues meanwhile. Both deliver what they read at once, so the order is right whichever comes first.
   */
  async #drain(): Promise<void> {
    this.#ended = true;
    this.#tookAtMs = this.#clock.steadyMs();
    closeSync(this.#otherEnd);
    for (;;) {
      await this.#untilFlowing();
      const bytes = this.#readSome();
      if (bytes === 'end') break;
      if (bytes !== 'nothing') this.#take(bytes);
      else if (this.#clock.steadyMs() - this.#tookAtMs >= QUIET_MS) break;
      else await this.#clock.sleep(1);
      if (this.#restBytes > REST_BYTES_MAX) break;
    }
    this.#stream.destroy();
    this.#reader.drained();
  }

  /** What the stream had read before it was held comes first. */
  async #untilFlowing(): Promise<void> {
    while (this.#holds.size > 0 || (this.#stream.readableLength > 0 && !this.#stream.destroyed)) {
      await this.#clock.sleep(1);
      this.#tookAtMs = this.#clock.steadyMs();
    }
  }

  #readSome(): Uint8Array | 'nothing' | 'end' {
    // The descriptor is closed with the stream, and its number may be in use elsewhere by now.
    if (this.#stream.destroyed) return 'end';
    const bytes = Buffer.allocUnsafe(64 * 1024);
    try {
      const count = readSync(this.#fd, bytes);
      return count === 0 ? 'end' : bytes.subarray(0, count);
    } catch (error) {
      if (errnoOf(error) === 'EAGAIN') return 'nothing';
      if (errnoOf(error) === 'EIO') return 'end';
      throw error;
    }
  }
}

interface Native {
  fork(...how: Fork): { readonly fd: number; readonly pid: number; readonly pty: string };
  resize(...how: Resize): void;
}

type Fork = [
  file: string,
  args: readonly string[],
  env: readonly string[],
  cwd: string,
  columns: number,
  rows: number,
  uid: number,
  gid: number,
  utf8: boolean,
  starter: string,
  onExit: (status: number, signal: number) => void,
];

type Resize = [fd: number, columns: number, rows: number, xPixels: number, yPixels: number];

// Not in the library's types; the version is pinned for it.
const { native } = library as unknown as { readonly native: Native };

/** The helper program that the library needs on macOS to start others. */
function starter(): string {
  if (process.platform !== 'darwin') return '';
  const platform = `${process.platform}-${process.arch}`;
  const entry = createRequire(import.meta.url).resolve(`@lydell/node-pty-${platform}/package.json`);
  return join(dirname(entry), 'prebuilds', platform, 'spawn-helper');
}
