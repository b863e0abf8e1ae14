import {
  FROM_PAGE,
  FROM_SERVER,
  frame,
  inputFrame,
  jsonFrame,
  jsonIn,
  type LiveFrame,
  textOf,
} from '../../api/live-frames.ts';
import { OutlastError } from '../../base/errors.ts';
import { answerOf } from '../../client/exchange.ts';
import { DaemonLost } from '../../client/lost.ts';

interface ChannelParts {
  send(bytes: Uint8Array<ArrayBuffer>): void;
  ended(): void;
}

/** Read bytes are acknowledged in portions of this size, and when there is nothing left to read. */
const ACK_BYTES = 32 * 1024;
/** What a frame has besides its payload. */
const HEAD_BYTES = 5;

/** One stream of the connection. Its reader is what slows it down: only what was read is acknowledged. */
export class PageChannel {
  readonly #id: number;
  readonly #parts: ChannelParts;
  readonly #frames: LiveFrame[] = [];
  #unackedBytes = 0;
  #isOver = false;
  #failure: Error | null = null;
  #isCurrent = false;
  #wake: () => void = () => {};

  constructor(id: number, parts: ChannelParts) {
    this.#id = id;
    this.#parts = parts;
  }

  /** Called with the number of the next input: all before it was typed. */
  onTaken: (next: number) => void = () => {};

  /** Sends what was typed, if the stream is there: it is never kept for later. */
  input(type: typeof FROM_PAGE.input | typeof FROM_PAGE.paste, number: number, bytes: Uint8Array): boolean {
    if (this.#isOver) return false;
    this.#parts.send(inputFrame(type, this.#id, number, bytes));
    return true;
  }

  /** All that had happened when it was opened has come. */
  get isCurrent(): boolean {
    return this.#isCurrent && this.#frames.length === 0;
  }

  /** What the server sends. Says whether the daemon behind it is there, if that can be seen. */
  take(read: LiveFrame): 'here' | 'away' | undefined {
    switch (read.type) {
      case FROM_SERVER.line:
      case FROM_SERVER.bytes:
      case FROM_SERVER.skip:
        this.#frames.push(read);
        this.#wake();
        return 'here';
      case FROM_SERVER.taken:
        this.onTaken(Number(jsonIn(read)));
        return 'here';
      case FROM_SERVER.current:
        this.#isCurrent = true;
        return 'here';
      case FROM_SERVER.end:
        this.#finish(null);
        return 'here';
      case FROM_SERVER.error: {
        const error = errorIn(read);
        this.#finish(error);
        return error instanceof DaemonLost ? 'away' : undefined;
      }
      default:
        return undefined;
    }
  }

  /** The connection is gone. */
  fail(error: Error): void {
    this.#finish(error);
  }

  /** The frames with content, until the stream ends. Leaving early closes it. */
  async *read(signal: AbortSignal | undefined): AsyncGenerator<LiveFrame, void, void> {
    const wake = (): void => this.#wake();
    signal?.addEventListener('abort', wake);
    try {
      for (;;) {
        signal?.throwIfAborted();
        const next = this.#frames.shift();
        if (next !== undefined) {
          yield next;
          this.#ack(next.payload.length + HEAD_BYTES);
        } else if (this.#failure !== null) throw this.#failure;
        else if (this.#isOver) return;
        else await this.#changed();
      }
    } finally {
      signal?.removeEventListener('abort', wake);
      if (!this.#isOver) {
        this.#parts.send(frame(FROM_PAGE.close, this.#id));
        this.#finish(null);
      }
    }
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #ack(bytes: number): void {
    this.#unackedBytes += bytes;
    // All that came is acknowledged, so that the server has room for a frame of any size.
    if (this.#isOver || (this.#unackedBytes < ACK_BYTES && this.#frames.length > 0)) return;
    this.#parts.send(jsonFrame(FROM_PAGE.ack, this.#id, this.#unackedBytes));
    this.#unackedBytes = 0;
  }

  #finish(failure: Error | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#parts.ended();
    this.#wake();
  }
}

/** An error of the server. That the daemon is away is a loss like any other: readers try again. */
function errorIn(read: LiveFrame): Error {
  try {
    answerOf(500, textOf(read));
    return new OutlastError('internal', 'an error without a text');
  } catch (error) {
    if (!(error instanceof OutlastError) || error.code !== 'daemon_unreachable') return error as Error;
    return new DaemonLost(error.message, { loss: 'lost', wasReached: true, cause: error });
  }
}
