import { CREDIT_BYTES, FROM_SERVER, frame, jsonFrame, type LiveFrame } from '../../api/live-frames.ts';
import type { Clock } from '../../base/clock.ts';

/** How long a stream must have nothing to say before it counts as current. */
const CURRENT_MS = 40;

/** One stream to a page. It is read from its source only as fast as the page reads it. */
export class Channel {
  readonly id: number;
  readonly #over = new AbortController();
  readonly #send: (bytes: Uint8Array) => void;
  #unreadBytes = 0;
  #wake: () => void = () => {};

  constructor(id: number, send: (bytes: Uint8Array) => void) {
    this.id = id;
    this.#send = send;
  }

  /** Fires when the page has closed it, or is gone. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Waits until the page has room for a frame, and sends it. False: it had to wait. */
  async send(bytes: Uint8Array): Promise<boolean> {
    const hasRoom = (): boolean => this.#unreadBytes === 0 || this.#unreadBytes + bytes.length <= CREDIT_BYTES;
    const hadRoom = hasRoom();
    while (!hasRoom() && !this.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.signal.aborted) return true;
    this.#unreadBytes += bytes.length;
    this.#send(bytes);
    return hadRoom;
  }

  /** What the page sends on it; false: that is not allowed here. */
  onInput: (frame: LiveFrame) => boolean = () => false;

  /** Sends a short frame at once, whatever the page has read. */
  tell(bytes: Uint8Array): void {
    if (!this.signal.aborted) this.#send(bytes);
  }

  /** Says that all that had happened when it was opened is sent. */
  current(): void {
    if (!this.signal.aborted) this.#send(frame(FROM_SERVER.current, this.id));
  }

  /** The page has read so many bytes. */
  ack(bytes: number): void {
    this.#unreadBytes = Math.max(0, this.#unreadBytes - bytes);
    this.#wake();
  }

  close(): void {
    this.#over.abort();
    this.#wake();
  }

  /** Sends the values of a source, each as a line. Says once that what there was at first is sent. */
  async lines(source: AsyncIterable<unknown>, clock: Clock): Promise<void> {
    const values = source[Symbol.asyncIterator]();
    let isCurrent = false;
    try {
      for (;;) {
        const next = values.next();
        if (!isCurrent && !(await isSoon(next, clock, this.signal))) {
          isCurrent = true;
          this.current();
        }
        const { done, value } = await next;
        if (done === true || this.signal.aborted) return;
        await this.send(jsonFrame(FROM_SERVER.line, this.id, value));
      }
    } finally {
      await values.return?.();
    }
  }
}

async function isSoon(next: Promise<unknown>, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const settled = next.then(
    () => true,
    () => true,
  );
  const late = clock.sleep(CURRENT_MS, AbortSignal.any([over.signal, signal])).then(() => false);
  const isInTime = await Promise.race([settled, late]);
  over.abort();
  return isInTime;
}
