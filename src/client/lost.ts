import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { causeText } from '../base/system-errors.ts';

/**
 * How a daemon failed to answer: `lost` during a call, `absent` when it may not be started, `unstarted` when the start
 * failed, `frozen` when its process is stopped.
 */
export type Loss = 'lost' | 'absent' | 'unstarted' | 'frozen';

/** The daemon did not answer. `wasReached`: it answered before, so the address is right. */
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
  /** No retry after this time, in steady milliseconds. */
  readonly untilMs?: number;
  /** No retry this long after the first loss. */
  readonly msMax?: number;
  /** Keep trying when the next daemon cannot be started? It may have been killed while starting. */
  readonly unstarted: boolean;
  /** Keep trying while its process is stopped? A wait can wait for that, too. */
  readonly frozen?: boolean;
  /** Called once when it takes long. */
  readonly tell?: ((text: string) => void) | undefined;
}

const PAUSE_MS = 50;
const PAUSE_MS_MAX = 1_000;
/** After this much time with a working daemon, the next loss counts as a new outage. */
const WELL_MS = 5_000;
const TELL_MS = 10_000;

/** The losses of the daemon during one call, and how long the call tolerates them. */
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

  /**
   * Returns when it is time for the next try; throws the error when there is none, or when it is not a loss of the
   * daemon.
   */
  async next(error: unknown, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { untilMs = Number.POSITIVE_INFINITY, msMax = Number.POSITIVE_INFINITY } = this.#options;
    const nowMs = this.#clock.steadyMs();
    this.#firstMs ??= nowMs;
    const endMs = Math.min(untilMs, this.#firstMs + msMax);
    if (!this.#isEndured(error) || nowMs >= endMs) throw error;
    this.#count(nowMs);
    // A stopped process is found out only after a while, so it always counts as long.
    const isLong = nowMs - this.#sinceMs >= TELL_MS || isFrozen(error);
    if (!this.#isTold && isLong) {
      this.#isTold = true;
      this.#options.tell?.(`${causeText(error)}; retrying`);
    }
    await this.#clock.sleep(Math.min(this.#pauseMs, endMs - nowMs), signal);
    this.#lastMs = this.#clock.steadyMs();
    signal?.throwIfAborted();
  }

  #isEndured(error: unknown): boolean {
    if (!isLost(error)) return false;
    if (!(error instanceof DaemonLost) || error.loss === 'lost') return true;
    if (isFrozen(error)) return this.#options.frozen === true;
    // A daemon that has never answered may be broken: the caller must know at once.
    return error.loss === 'unstarted' && error.wasReached && this.#options.unstarted;
  }

  #count(nowMs: number): void {
    const isNew = nowMs - this.#lastMs >= WELL_MS;
    if (isNew) [this.#sinceMs, this.#isTold] = [nowMs, false];
    this.#pauseMs = isNew ? PAUSE_MS : Math.min(this.#pauseMs * 2, PAUSE_MS_MAX);
  }
}

/** Calls until there is an answer, or the outage has lasted too long. */
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

/** Did the connection break, rather than the call? */
export function isLost(error: unknown): boolean {
  return error instanceof OutlastError && error.code === 'daemon_unreachable';
}
