/** When something last changed, as far as we looked. */
interface Seen {
  readonly stamp: number;
  readonly sinceMs: number;
  readonly lookedAtMs: number;
}

/** Looks are at least this frequent; a longer gap means that we did not run, and perhaps nothing did. */
const LOOK_MS_MAX = 13_000;

/**
 * How long things have not changed, in steady time. Files only have wall-clock times, which may jump. While we were
 * frozen, other processes may have been too: time without looks does not count.
 */
export class Unchanged {
  readonly #seen = new Map<string, Seen>();

  /** `firstMs`: its age at the first look. */
  ageMs(key: string, stamp: number, nowMs: number, firstMs: number): number {
    const before = this.#seen.get(key);
    const first = { stamp, sinceMs: nowMs - Math.max(0, firstMs) };
    const isFrozen = before !== undefined && nowMs - before.lookedAtMs > LOOK_MS_MAX;
    const isNew = before !== undefined && before.stamp !== stamp;
    const { sinceMs } = isFrozen || isNew ? { sinceMs: nowMs } : (before ?? first);
    this.#seen.set(key, { stamp, sinceMs, lookedAtMs: nowMs });
    return nowMs - sinceMs;
  }

  /** Forgets everything whose key has this prefix. */
  forget(start: string): void {
    for (const key of this.#seen.keys()) if (key.startsWith(start)) this.#seen.delete(key);
  }
}
