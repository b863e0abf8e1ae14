/** When something last changed, as far as we looked. */
interface Seen {
  readonly stamp: number;
  readonly sinceMs: number;
  readonly lookedAtMs: number;
}

/** What is looked at is looked at this often at least; if not, we were not there to look, and perhaps nobody ran. */
const LOOK_MS_MAX = 13_000;

/**
 * How long things have not changed, in steady time. Files only know the wall clock, which may be set. While we were
 * frozen, so perhaps was everybody: a time in which we did not look does not count.
 */
export class Unchanged {
  readonly #seen = new Map<string, Seen>();

  /** `firstMs`: how old it seems to be at the first look. */
  ageMs(key: string, stamp: number, nowMs: number, firstMs: number): number {
    const before = this.#seen.get(key);
    const first = { stamp, sinceMs: nowMs - Math.max(0, firstMs) };
    const isFrozen = before !== undefined && nowMs - before.lookedAtMs > LOOK_MS_MAX;
    const isNew = before !== undefined && before.stamp !== stamp;
    const { sinceMs } = isFrozen || isNew ? { sinceMs: nowMs } : (before ?? first);
    this.#seen.set(key, { stamp, sinceMs, lookedAtMs: nowMs });
    return nowMs - sinceMs;
  }

  /** Forgets everything whose key begins so. */
  forget(start: string): void {
    for (const key of this.#seen.keys()) if (key.startsWith(start)) this.#seen.delete(key);
  }
}
