import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';

/**
 * How a daemon failed to answer: `lost` while it was asked, `absent` with nobody to start it, `unstarted` when that did
 * not work, `frozen` when its process is stopped.
 */
export type Loss = 'lost' | 'absent' | 'unstarted' | 'frozen';

/** The daemon did not answer. `wasReached`: it did before, so it is known to be the right one. */
export class DaemonLost extends OutlastError {
  readonly loss: Loss;
  readonly wasReached: boolean;

  constructor(message: string, how: { loss: Loss; wasReached: boolean; cause?: unknown }) {
    super('daemon_unreachable', message, { cause: how.cause });
    this.loss = how.loss;
    this.wasReached = how.wasReached || how.loss === 'lost';
  }
}

export interface OutageOptions {
  /** No try after this time, in steady milliseconds. */
  readonly untilMs?: number;
  /** No try so long after the first loss. */
  readonly msMax?: number;
  /** Go on when the next daemon cannot be started? It may have been killed at that, too. */
  readonly unstarted: boolean;
  /** Go on while its process is stopped? Whoever waits anyway can wait for that. */
  readonly frozen?: boolean;
  /** Told once when it takes long. */
  readonly tell?: ((text: string) => void) | undefined;
}

const PAUSE_MS = 50;
const PAUSE_MS_MAX = 1_000;
/** After so much time with a daemon, the next loss is a new story. */
const WELL_MS = 5_000;
const TELL_MS = 10_000;

/** The trouble that one call has with daemons that die under it, and how long it puts up with it. */
export class Outage {
  readonly #clock: Clock;
  readonly #options: OutageOptions;
  #firstMs: number | null = null;
  #lastMs = 0;
  #sinceMs = 0;
  #pauseMs = PAUSE_MS;
  #isTold = false;

  constructor(clock: Clock, options: OutageOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** Returns when it is time for the next try; throws the error when there is none, or it is no loss of the daemon. */
  async next(error: unknown, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { untilMs = Number.POSITIVE_INFINITY, msMax = Number.POSITIVE_INFINITY } = this.#options;
    const nowMs = this.#clock.steadyMs();
    this.#firstMs ??= nowMs;
    const endMs = Math.min(untilMs, this.#firstMs + msMax);
    if (!this.#isEndured(error) || nowMs >= endMs) throw error;
    this.#count(nowMs);
    // Nobody finds out in a moment that it is stopped.
    const isLong = nowMs - this.#sinceMs >= TELL_MS || isFrozen(error);
    if (!this.#isTold && isLong) {
      this.#isTold = true;
      this.#options.tell?.(`${error instanceof Error ? error.message : error}; trying on`);
    }
    await this.#clock.sleep(Math.min(this.#pauseMs, endMs - nowMs), signal);
    this.#lastMs = this.#clock.steadyMs();
    signal?.throwIfAborted();
  }

  #isEndured(error: unknown): boolean {
    if (!isLost(error)) return false;
    if (!(error instanceof DaemonLost) || error.loss === 'lost') return true;
    if (isFrozen(error)) return this.#options.frozen === true;
    // One that has never answered may be broken: that is for its caller to know at once.
    return error.loss === 'unstarted' && error.wasReached && this.#options.unstarted;
  }

  #count(nowMs: number): void {
    const isNew = nowMs - this.#lastMs >= WELL_MS;
    if (isNew) [this.#sinceMs, this.#isTold] = [nowMs, false];
    this.#pauseMs = isNew ? PAUSE_MS : Math.min(this.#pauseMs * 2, PAUSE_MS_MAX);
  }
}

/** Asks until there is an answer, or the outage has lasted too long. */
export async function enduring<T>(outage: Outage, ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      await outage.next(error, signal);
    }
  }
}

function isFrozen(error: unknown): boolean {
  return error instanceof DaemonLost && error.loss === 'frozen';
}

/** Did the connection break, and not the call? */
export function isLost(error: unknown): boolean {
  return error instanceof OutlastError && error.code === 'daemon_unreachable';
}
