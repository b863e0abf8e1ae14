import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { errnoOf, OutlastError } from '../base/errors.ts';
import { LIMITS } from '../base/limits.ts';
import type { Written } from './terminal.ts';

/** What a writer needs to know about the run behind its FIFO. */
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
  /** Bytes that are in the pipe by now. */
  at: number;
  /** The caller stopped waiting: bytes that are not in the pipe yet are never written. */
  withdrawn: boolean;
}

/** How long a caller waits for its bytes to be accepted. Those that are not accepted by then stay with the caller. */
const TAKE_MS_MAX = 2_000;
const RETRY_MS_MAX = 20;

/**
 * Writes to a FIFO in order and never blocks. It buffers nothing after its caller stopped waiting: bytes are in the
 * pipe, which outlives the daemon, or still with the caller. So none is lost when the daemon ends.
 */
export class FifoWriter {
  readonly #end: FifoEnd;
  readonly #clock: Clock;
  readonly #items: Item[] = [];
  #draining = false;

  constructor(end: FifoEnd, clock: Clock) {
    this.#end = end;
    this.#clock = clock;
  }

  get idle(): boolean {
    return !this.#draining;
  }

  /**
   * Resolves when all bytes are in the pipe, or after two seconds with the number refused. It fails if none was
   * accepted.
   */
  async write(bytes: Uint8Array | 'eof'): Promise<Written> {
    const length = lengthOf(bytes);
    const waiting = this.#items.reduce((sum, item) => sum + lengthOf(item.bytes) - item.at, 0);
    if (waiting + length > LIMITS.inputBytesMax) throw this.#full(length);
    const item: Item = { bytes, taken: Promise.withResolvers(), at: 0, withdrawn: false };
    // The caller may have stopped waiting by the time it fails.
    item.taken.promise.catch(() => {});
    this.#items.push(item);
    if (!this.#draining) void this.#drain();
    const timeUp = new AbortController();
    const isLate = this.#clock.sleep(TAKE_MS_MAX, timeUp.signal).then(() => true);
    const late = await Promise.race([item.taken.promise, isLate]).finally(() => timeUp.abort());
    if (late !== true) return { bytes: length, pendingBytes: 0 };
    return bytes === 'eof' && this.#items[0] === item ? this.#ended(item) : this.#withdraw(item, length);
  }

  /** An end of input cannot be withdrawn once it is begun. It takes as long as the keeper takes to die. */
  async #ended(item: Item): Promise<Written> {
    await item.taken.promise;
    return { bytes: 0, pendingBytes: 0 };
  }

  #withdraw(item: Item, length: number): Written {
    item.withdrawn = true;
    if (item.at === 0) throw this.#full(length);
    return { bytes: item.at, pendingBytes: 0, refusedBytes: length - item.at };
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    let fd: number | null = null;
    try {
      // We hold the FIFO open only while there is something to write: our open end would keep the reader from seeing
      // the end of input.
      fd = await this.#open();
      for (let item = this.#items[0]; item; item = this.#items[0]) {
        if (item.withdrawn) this.#items.shift();
        if (item.withdrawn) continue;
        if (item.bytes !== 'eof') await this.#put(fd, item, item.bytes);
        else {
          if (fd !== null) closeSync(fd);
          fd = null;
          await this.#end.end();
        }
        this.#items.shift();
        item.taken.resolve();
      }
    } catch (error) {
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

  async #put(fd: number | null, item: Item, bytes: Uint8Array): Promise<void> {
    if (fd === null) throw this.#closed(null);
    let retryMs = 1;
    while (item.at < bytes.length && !item.withdrawn) {
      try {
        item.at += writeSync(fd, bytes, item.at);
        retryMs = 1;
      } catch (error) {
        if (errnoOf(error) !== 'EAGAIN') throw this.#closed(error, item.at);
        await this.#clock.sleep(retryMs);
        retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
      }
    }
  }

  #full(length: number): OutlastError {
    const message = `none of ${length} bytes could be written to ${this.#end.path}: the command does not read`;
    return new OutlastError('input_full', message);
  }

  #closed(cause: unknown, atBytes = 0): OutlastError {
    const message = `cannot write to ${this.#end.path}: no process reads it (after ${atBytes} bytes of this input)`;
    return new OutlastError('input_closed', message, { cause });
  }
}

function lengthOf(bytes: Uint8Array | 'eof'): number {
  return bytes === 'eof' ? 0 : bytes.length;
}
