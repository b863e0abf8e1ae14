import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';

const SECRET_BYTES = 16;

/** A new secret of 128 bits. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** What is kept of a secret. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Secrets that open something until they expire. Only their hashes are kept, in memory. */
export class Secrets<T> {
  readonly #clock: Clock;
  readonly #max: number;
  readonly #held = new Map<string, { readonly value: T; readonly untilMs: number }>();

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.#max = max;
  }

  /** A new one. When there are too many, the oldest counts no more. */
  issue(value: T, ms: number): string {
    this.#forget();
    const [oldest] = this.#held.keys();
    if (this.#held.size >= this.#max && oldest !== undefined) this.#held.delete(oldest);
    const secret = newSecret();
    this.#held.set(hashOf(secret), { value, untilMs: this.#clock.steadyMs() + ms });
    return secret;
  }

  /** What it opens; null: nothing. */
  find(secret: string): T | null {
    const found = this.#held.get(hashOf(secret));
    return found === undefined || found.untilMs <= this.#clock.steadyMs() ? null : found.value;
  }

  /** What it opens, for the last time. */
  take(secret: string): T | null {
    const value = this.find(secret);
    this.#held.delete(hashOf(secret));
    return value;
  }

  /** Those that open something of this kind open nothing any more. */
  end(isMeant: (value: T) => boolean): void {
    for (const [hash, { value }] of this.#held) if (isMeant(value)) this.#held.delete(hash);
  }

  #forget(): void {
    const nowMs = this.#clock.steadyMs();
    for (const [hash, { untilMs }] of this.#held) if (untilMs <= nowMs) this.#held.delete(hash);
  }
}
