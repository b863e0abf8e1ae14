import { LIMITS } from '../../base/limits.ts';
import type { FollowedJournal } from '../../journal/follower.ts';
import type { Entry, Position } from '../../journal/journal.ts';

/** Events of one notice that wait for the end of the quiet hours: a range of positions, stored in the journal. */
export class SetAside {
  readonly #journal: FollowedJournal;
  readonly #key: string;
  #range: { readonly after: Position; readonly upTo: Position } | null;

  constructor(journal: FollowedJournal, name: string, isNew: boolean) {
    this.#journal = journal;
    this.#key = `notice-aside:${name}`;
    if (isNew && journal.fact(this.#key)) journal.saveFact(this.#key, '');
    const [after, upTo] = (journal.fact(this.#key) || '').split('-').map(Number);
    // A journal that was restored from a backup is shorter.
    const isThere = after !== undefined && upTo !== undefined && upTo <= journal.head();
    this.#range = isThere ? { after: after as Position, upTo: upTo as Position } : null;
  }

  get range(): { readonly after: Position; readonly upTo: Position } | null {
    return this.#range;
  }

  /** Adds events, oldest first. They are durable when this returns. */
  add(positions: readonly Position[]): void {
    const [first, last] = [positions.at(0), positions.at(-1)];
    if (first === undefined || last === undefined) return;
    const after = this.#range?.after ?? ((first - 1) as Position);
    this.#range = { after, upTo: last };
    this.#journal.saveFact(this.#key, `${after}-${last}`);
  }

  /** The events of the range, with those in between that do not wait. */
  *entries(): Generator<Entry, void, void> {
    if (this.#range === null) return;
    for (let at = this.#range.after; at < this.#range.upTo; ) {
      const page = this.#journal.read(at, LIMITS.feedEventsMax);
      if (page.length === 0) return;
      for (const entry of page) if (entry.position <= this.#range.upTo) yield entry;
      at = page.at(-1)?.position ?? this.#range.upTo;
    }
  }

  clear(): void {
    this.#range = null;
    this.#journal.saveFact(this.#key, '');
  }
}
