import type { Clock } from '../../base/clock.ts';

/** Failures after which answers begin to take longer. */
const FREE = 5;
const PAUSE_MS = 250;
const PAUSE_MS_MAX = 2_000;
/** A peer without a failure for this long starts from zero. */
const FORGET_MS = 10 * 60_000;
/** Answers that are held back at once, of one peer and of all. */
const HELD_MAX = 16;
const HELD_ALL_MAX = 256;
const PEERS_MAX = 10_000;

interface Failures {
  count: number;
  lastMs: number;
  held: number;
}

/**
 * Slows down failed sign-ins, by the address that they come from and by nothing else. It is asked only after a failure:
 * what is right is never slow.
 */
export class Slowdown {
  readonly #clock: Clock;
  readonly #peers = new Map<string, Failures>();
  #held = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits before a failure is answered. False: too many wait already, and this one is turned away at once. */
  async failed(peer: string, signal: AbortSignal): Promise<boolean> {
    const failures = this.#of(peer);
    failures.count += 1;
    failures.lastMs = this.#clock.steadyMs();
    const beyond = failures.count - FREE;
    if (beyond <= 0) return true;
    if (failures.held >= HELD_MAX || this.#held >= HELD_ALL_MAX) return false;
    failures.held += 1;
    this.#held += 1;
    await this.#clock.sleep(Math.min(PAUSE_MS * 2 ** Math.min(beyond - 1, 10), PAUSE_MS_MAX), signal);
    failures.held -= 1;
    this.#held -= 1;
    return true;
  }

  #of(peer: string): Failures {
    const nowMs = this.#clock.steadyMs();
    const known = this.#peers.get(peer);
    this.#peers.delete(peer);
    const isFresh = known === undefined || (nowMs - known.lastMs > FORGET_MS && known.held === 0);
    const failures = isFresh ? { count: 0, lastMs: nowMs, held: 0 } : known;
    this.#peers.set(peer, failures);
    const [oldest] = this.#peers.keys();
    if (this.#peers.size > PEERS_MAX && oldest !== undefined) this.#peers.delete(oldest);
    return failures;
  }
}
