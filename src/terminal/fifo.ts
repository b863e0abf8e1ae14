import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { errnoOf, OutlastError } from '../base/errors.ts';
import { LIMITS } from '../base/limits.ts';
import type { Written } from './terminal.ts';

/** What a writer must know of the run behind its FIFO. */
export interface FifoEnd {
  readonly path: string;
  /** starting: the command has not opened its input yet. closed: it never will, or not again. */
  state(): 'starting' | 'open' | 'closed';
  /** Ends the input; resolves when it has ended. */
  end(): Promise<void>;
}

interface Item {
  readonly bytes: Uint8Array | 'eof';
  readonly taken: PromiseWithResolvers<void>;
}

/** How long a caller waits for its bytes to be taken. The rest follows without it. */
const TAKE_MS_MAX = 2_000;
const RETRY_MS_MAX = 20;

/** Writes to a FIFO in order and never blocks: a command that does not read fills its own queue only. */
export class FifoWriter {
  readonly #end: FifoEnd;
  readonly #clock: Clock;
  readonly #items: Item[] = [];
  #pendingBytes = 0;
  #draining = false;

  constructor(end: FifoEnd, clock: Clock) {
    this.#end = end;
    this.#clock = clock;
  }

  get idle(): boolean {
    return !this.#draining;
  }

  /** Resolves when all is in the pipe, or after two seconds with what is still pending. */
  async write(bytes: Uint8Array | 'eof'): Promise<Written> {
    const length = bytes === 'eof' ? 0 : bytes.length;
    if (this.#pendingBytes + length > LIMITS.inputBytesMax) throw this.#full(length);
    const item: Item = { bytes, taken: Promise.withResolvers() };
    // The caller may have stopped waiting when it fails.
    item.taken.promise.catch(() => {});
    this.#items.push(item);
    this.#pendingBytes += length;
    if (!this.#draining) void this.#drain();
    const timeUp = new AbortController();
    await Promise.race([item.taken.promise, this.#clock.sleep(TAKE_MS_MAX, timeUp.signal)]).finally(() =>
      timeUp.abort(),
    );
    return { bytes: length, pendingBytes: this.#pendingBytes };
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    let fd: number | null = null;
    try {
      // We hold the FIFO only while there is something to write: an open end of ours would keep its end from coming.
      fd = await this.#open();
      for (let item = this.#items[0]; item; item = this.#items[0]) {
        if (item.bytes !== 'eof') await this.#put(fd, item.bytes);
        else {
          if (fd !== null) closeSync(fd);
          fd = null;
          await this.#end.end();
        }
        this.#items.shift();
        item.taken.resolve();
      }
    } catch (error) {
      this.#pendingBytes = 0;
      for (const item of this.#items.splice(0)) item.taken.reject(error);
    } finally {
      if (fd !== null) closeSync(fd);
      this.#draining = false;
    }
  }

  async #open(): Promise<number | null> {
    const deadlineMs = this.#clock.steadyMs() + TAKE_MS_MAX;
    for (;;) {
      const state = this.#end.state();
      if (state === 'closed') {
        if (this.#items.every((item) => item.bytes === 'eof')) return null;
        throw this.#closed(null);
      }
      try {
        return openSync(this.#end.path, constants.O_WRONLY | constants.O_NONBLOCK);
      } catch (error) {
        const isEarly = state === 'starting' && this.#clock.steadyMs() < deadlineMs;
        if (!isEarly || !['ENOENT', 'ENXIO'].includes(errnoOf(error))) throw this.#closed(error);
      }
      await this.#clock.sleep(RETRY_MS_MAX / 4);
    }
  }

  async #put(fd: number | null, bytes: Uint8Array): Promise<void> {
    if (fd === null) throw this.#closed(null);
    let retryMs = 1;
    for (let at = 0; at < bytes.length; ) {
      try {
        const written = writeSync(fd, bytes, at);
        at += written;
        this.#pendingBytes -= written;
        retryMs = 1;
      } catch (error) {
        if (errnoOf(error) !== 'EAGAIN') throw this.#closed(error, at);
        await this.#clock.sleep(retryMs);
        retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
      }
    }
  }

  #full(length: number): OutlastError {
    const waiting = `${this.#pendingBytes} of at most ${LIMITS.inputBytesMax} are waiting`;
    return new OutlastError('input_full', `cannot queue ${length} bytes for ${this.#end.path}: ${waiting}`);
  }

  #closed(cause: unknown, atBytes = 0): OutlastError {
    const message = `cannot write to ${this.#end.path}: nobody reads it (after ${atBytes} bytes of this input)`;
    return new OutlastError('input_closed', message, { cause });
  }
}
