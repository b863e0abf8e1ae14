import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { LIMITS } from '../base/limits.ts';
import type { Size } from '../core/session.ts';
import { decodeJson, encodeFrame, encodeJson, FRAME, type Frame, FrameReader, PROTOCOL } from './frames.ts';
import { type Connection, readFrames, refuseReadOnly, sendOutput } from './holder-connection.ts';
import { encodeKeys } from './keys.ts';
import { pasteBytes } from './paste.ts';
import type { Pty } from './pty.ts';
import { QueryFilter } from './queries.ts';
import type { Emulator } from './screen.ts';
import type { StyledScreen, StyledWish } from './styled.ts';
import type { Written } from './terminal.ts';

/** What the socket of a holder serves. */
export interface Holding {
  readonly name: string;
  /** A function, because the socket exists before the program. */
  readonly pty: () => Pty;
  readonly emulator: Emulator;
  readonly size: Size;
  readonly term: string;
  readonly clock: Clock;
}

/** A viewer that does not read is disconnected; it can come back and sees the screen as it is then. */
const VIEWER_BYTES_MAX = 4 * 1024 * 1024;
/** How long a write waits for the program before it reports how much is still pending. */
const WRITE_MS_MAX = 2_000;
const WRITE_AGAIN_MS = 5;
/** The largest width and height. More would cost the emulator too much memory. */
const SIDE_MAX = 1_000;

/**
 * The socket of one holder: answers the daemon and feeds viewers. Access to it is control of the session, so its mode
 * is 0600.
 */
export class HolderSocket {
  readonly #holding: Holding;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  /** Requests that have no answer yet. */
  readonly #open = new Set<Promise<void>>();
  /** Input reaches the program in the order it came, also when some of it waits until a terminal mode is known. */
  #lastInput: Promise<unknown> = Promise.resolve();
  /** The size of the program's terminal when no person is attached. */
  #size: Size;

  constructor(path: string, holding: Holding) {
    this.#holding = holding;
    this.#size = holding.size;
    holding.emulator.onShown = (piece) => this.#show(piece);
    this.#server = createServer((socket) => this.#welcome(socket));
    this.#server.listen(path, () => chmodSync(path, 0o600));
  }

  /** Answers what was asked, reports the end to viewers and lets them read the rest. */
  async end(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    // A program that ends on its input is faster than the answer that this input has arrived.
    await Promise.all(this.#open);
    for (const { socket, view } of this.#connections) socket.end(view === null ? '' : encodeFrame(FRAME.end, 0));
    await closed;
  }

  #welcome(socket: Socket): void {
    const connection: Connection = { socket, view: null, types: false, lentSize: false };
    const reader = new FrameReader();
    this.#connections.add(connection);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#left(connection));
    socket.on('data', (bytes) => {
      const frames = readFrames(reader, bytes);
      if (frames === null) socket.destroy();
      for (const frame of frames ?? []) this.#track(this.#answer(connection, frame));
    });
    socket.write(encodeJson(FRAME.hello, 0, { protocol: PROTOCOL, name: this.#holding.name, pid: process.pid }));
  }

  /**
   * An attached terminal lends its size to the program; when the last one leaves, the program gets its own size back.
   */
  #left(connection: Connection): void {
    this.#connections.delete(connection);
    const isLast = ![...this.#connections].some(({ lentSize }) => lentSize);
    if (connection.lentSize && isLast) void this.#setSize(this.#size);
  }

  #track(answer: Promise<void>): void {
    this.#open.add(answer);
    void answer.finally(() => this.#open.delete(answer));
  }

  async #answer(connection: Connection, frame: Frame): Promise<void> {
    try {
      const value = await this.#handle(connection, frame);
      // A view has sent its answer itself, in step with what it shows.
      if (value !== 'answered') connection.socket.write(encodeJson(FRAME.done, frame.id, value));
    } catch (error) {
      const code =
        error instanceof OutlastError ? error.code : error instanceof SyntaxError ? 'input_invalid' : 'internal';
      const message = error instanceof Error ? error.message : String(error);
      connection.socket.write(encodeJson(FRAME.failed, frame.id, { code, message }));
    }
  }

  async #handle(connection: Connection, frame: Frame): Promise<unknown> {
    const { emulator } = this.#holding;
    switch (frame.type) {
      case FRAME.write:
        return this.#write(connection, async () => frame.body);
      case FRAME.keys:
        return this.#write(connection, () => this.#encodeKeys(decodeJson(frame) as readonly string[]));
      case FRAME.paste:
        return this.#write(connection, () => this.#encodePaste(Buffer.from(frame.body).toString()));
      case FRAME.resize:
        return this.#resize(connection, decodeJson(frame) as Size & { viewer?: boolean });
      case FRAME.screen:
        await emulator.settled();
        return emulator.screen();
      case FRAME.styled:
        return this.#styled(decodeJson(frame) as StyledWish);
      case FRAME.view:
        return this.#view(connection, frame);
      case FRAME.viewers:
        return [...this.#connections].filter(({ types }) => types).length;
      default:
        throw new OutlastError(
          'not_supported',
          `the holder of ${this.#holding.name} has protocol ${PROTOCOL}, which has no request ${frame.type}`,
        );
    }
  }

  async #styled(wish: StyledWish): Promise<StyledScreen> {
    const { emulator } = this.#holding;
    if (!wish.now) await emulator.settled();
    return emulator.styled(wish);
  }

  async #write(connection: Connection, encode: () => Promise<Uint8Array>): Promise<Written> {
    refuseReadOnly(connection);
    const accepted = this.#lastInput.then(async () => {
      const bytes = await encode();
      this.#refuseFull(bytes.length);
      this.#holding.pty().write(bytes);
      return bytes.length;
    });
    this.#lastInput = accepted.catch(() => {});
    return this.#taken(await accepted);
  }

  #refuseFull(bytes: number): void {
    const { name } = this.#holding;
    const pty = this.#holding.pty();
    // One write alone is always accepted; its frame bounds it.
    if (pty.pendingBytes === 0 || pty.pendingBytes + bytes <= LIMITS.inputBytesMax) return;
    throw new OutlastError(
      'input_full',
      `cannot write ${bytes} bytes to run ${name}: ${pty.pendingBytes} bytes are still unread`,
    );
  }

  async #taken(bytes: number): Promise<Written> {
    const { clock } = this.#holding;
    const pty = this.#holding.pty();
    const deadlineMs = clock.steadyMs() + WRITE_MS_MAX;
    while (pty.pendingBytes > 0 && clock.steadyMs() < deadlineMs) await clock.sleep(WRITE_AGAIN_MS);
    return { bytes, pendingBytes: Math.min(bytes, pty.pendingBytes) };
  }

  /** Waits for the emulator only when modes matter: Ctrl-C gets through however far behind the screen is. */
  async #encodeKeys(keys: readonly string[]): Promise<Uint8Array> {
    const { term, emulator } = this.#holding;
    const normal = encodeKeys(keys, { applicationCursor: false, term });
    const application = encodeKeys(keys, { applicationCursor: true, applicationKeypad: true, term });
    if (Buffer.compare(normal, application) === 0) return normal;
    await emulator.settled();
    return encodeKeys(keys, { ...emulator.modes(), term });
  }

  async #encodePaste(text: string): Promise<Uint8Array> {
    await this.#holding.emulator.settled();
    return pasteBytes(text, this.#holding.emulator.modes().bracketedPaste);
  }

  #resize(connection: Connection, size: Size & { readonly viewer?: boolean }): Promise<Size> {
    refuseReadOnly(connection);
    if (!isSide(size.columns) || !isSide(size.rows)) {
      throw new OutlastError(
        'input_invalid',
        `cannot resize to ${size.columns}x${size.rows}: each must be 1 to ${SIDE_MAX}`,
      );
    }
    if (size.viewer) connection.lentSize = true;
    else this.#size = { columns: size.columns, rows: size.rows };
    return this.#setSize(size);
  }

  #setSize(size: Size): Promise<Size> {
    const { emulator } = this.#holding;
    return new Promise((resolve) =>
      // What was printed for the old size is shown in the old size.
      emulator.after(() => {
        emulator.resize(size);
        this.#holding.pty().resize(size);
        resolve({ columns: size.columns, rows: size.rows });
      }),
    );
  }

  #view(connection: Connection, frame: Frame): 'answered' {
    const { readOnly } = decodeJson(frame) as { readonly readOnly: boolean };
    const { emulator } = this.#holding;
    // At once: typing does not wait for the screen to be sent.
    connection.types = !readOnly;
    // The screen and the live output must meet without a gap, so both start at the same byte.
    emulator.after(() => {
      connection.socket.write(encodeJson(FRAME.done, frame.id, { readOnly }));
      sendOutput(connection.socket, emulator.serialize());
      connection.view = { readOnly, filter: new QueryFilter() };
    });
    return 'answered';
  }

  #show(piece: Uint8Array): void {
    for (const { socket, view } of this.#connections) {
      if (view === null) continue;
      sendOutput(socket, view.filter.push(piece));
      if (socket.writableLength > VIEWER_BYTES_MAX) socket.destroy();
    }
  }
}

function isSide(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= SIDE_MAX;
}
