import { openSync, writeSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { errnoOf } from '../base/errors.ts';

/** What the recorder pauses while the disk accepts nothing. */
export interface RecorderFlow {
  hold(): void;
  release(): void;
}

/** Errors of a disk that may accept writes again later; any other error is a bug. */
const LATER = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);
const AGAIN_MS = 1_000;

/** Appends all output to a file, in order. On a full disk it holds the program and tries again: nothing is lost. */
export class Recorder {
  readonly #fd: number;
  readonly #flow: RecorderFlow;
  readonly #clock: Clock;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #blocked = false;
  #onFlushed: (() => void)[] = [];

  constructor(path: string, flow: RecorderFlow, clock: Clock) {
    this.#fd = openSync(path, 'a', 0o600);
    this.#flow = flow;
    this.#clock = clock;
  }

  /** How many bytes this recorder has written. */
  get bytes(): number {
    return this.#bytes;
  }

  append(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    if (!this.#blocked) this.#flush();
  }

  /** Resolves when nothing waits for the disk. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      this.#onFlushed.push(resolve);
      if (!this.#blocked) this.#flush();
    });
  }

  /** Writes synchronously: what the program printed is on disk before any viewer sees it. */
  #flush(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const count = this.#writeSome(first);
      if (count === 'later') return void this.#tryLater();
      this.#bytes += count;
      if (count === first.length) this.#waiting.shift();
      else this.#waiting[0] = first.subarray(count);
    }
    for (const resolve of this.#onFlushed.splice(0)) resolve();
  }

  #writeSome(bytes: Uint8Array): number | 'later' {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      if (LATER.has(errnoOf(error))) return 'later';
      throw error;
    }
  }

  async #tryLater(): Promise<void> {
    this.#blocked = true;
    this.#flow.hold();
    await this.#clock.sleep(AGAIN_MS);
    this.#blocked = false;
    this.#flush();
    if (!this.#blocked) this.#flow.release();
  }
}
