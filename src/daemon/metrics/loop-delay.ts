import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../../base/clock.ts';

/** How often it is sampled. */
const EVERY_MS = 50;
/** Readings closer to each other get the same answer: two readers must not halve what each of them sees. */
const WINDOW_MS_MIN = 5_000;
/** Nobody reads it any more: a sample costs a wake-up of the process. */
const UNREAD_MS_MAX = 5 * 60_000;

/** How late timers fired. */
export interface LoopDelay {
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** How long the event loop of this process is held up, sampled while somebody reads it. */
export class LoopDelays {
  readonly #clock: Clock;
  readonly #histogram = monitorEventLoopDelay({ resolution: EVERY_MS });
  #isOn = false;
  #readMs = 0;
  #fromMs = 0;
  #last: LoopDelay | null = null;
  #unread = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Since the last reading; null: it has only begun to sample. */
  read(): LoopDelay | null {
    this.#readMs = this.#clock.steadyMs();
    if (!this.#isOn) {
      this.#begin();
      return null;
    }
    if (this.#readMs - this.#fromMs < WINDOW_MS_MIN || this.#histogram.count === 0) return this.#last;
    this.#last = { p99Ms: this.#late(this.#histogram.percentile(99)), maxMs: this.#late(this.#histogram.max) };
    this.#restart();
    return this.#last;
  }

  stop(): void {
    this.#unread.abort();
    this.#histogram.disable();
    this.#isOn = false;
  }

  #begin(): void {
    this.#isOn = true;
    this.#histogram.enable();
    this.#restart();
    this.#unread = new AbortController();
    void this.#endWhenUnread(this.#unread.signal);
  }

  #restart(): void {
    this.#histogram.reset();
    this.#fromMs = this.#readMs;
  }

  async #endWhenUnread(signal: AbortSignal): Promise<void> {
    for (let leftMs = UNREAD_MS_MAX; leftMs > 0; leftMs = this.#readMs + UNREAD_MS_MAX - this.#clock.steadyMs()) {
      await this.#clock.sleep(leftMs, signal);
      if (signal.aborted) return;
    }
    this.stop();
    this.#last = null;
  }

  /** What Node records includes the time until the next sample. */
  #late(nanoseconds: number): number {
    return Math.max(0, nanoseconds / 1e6 - EVERY_MS);
  }
}
