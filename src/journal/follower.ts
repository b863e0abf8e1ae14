import type { Clock } from '../base/clock.ts';
import { LIMITS } from '../base/limits.ts';
import { letOthers } from '../base/others.ts';
import type { Entry, Journal, Position } from './journal.ts';

// Every part that must see each event of the journal follows it this way. The journal keeps a follower's position under
// the follower's name, so that the next daemon continues from there. A position is saved only after its events were
// handled: after a crash some events are handled again, and none is skipped.

/** The part of the journal that a follower needs. */
export type FollowedJournal = Pick<
  Journal,
  'read' | 'head' | 'cursor' | 'saveCursor' | 'onAppend' | 'fact' | 'saveFact'
>;

/** What one follower does with the events. */
export interface FollowerWork {
  /** The key of its position in the journal. */
  readonly name: string;
  /** Begin after the newest event, whatever position was saved. */
  readonly isNew: boolean;
  /** How long it waits after an append, so that events that belong together come in one page. */
  readonly coalesceMs?: number;
  /** When it is stopped, it handles what is left before it ends. */
  readonly drains?: boolean;
  /** Handles a page, or its first part, in order. */
  handlePage(page: readonly Entry[], stopping: AbortSignal): Promise<Handled>;
  /** Called when all events are handled; returns the steady time of the next call. */
  caughtUp?(isLast: boolean): Promise<number>;
  /** Called when the journal cannot be read or written, or the work throws. The follower retries a little later. */
  onTrouble(error: unknown): void;
  /** Must the saved position stay where it is for now? */
  holdsPosition?(): boolean;
}

/** How far a page was handled. */
export interface Handled {
  /** The last event that need not be read again; null: none of the page. */
  readonly upTo: Position | null;
  /** Something was done that must not be repeated: the position is saved at once. */
  readonly save: boolean;
}

const TROUBLE_MS = 1_000;

/** Reads the journal from the saved position and waits for what is appended. */
export class Follower {
  readonly #journal: FollowedJournal;
  readonly #clock: Clock;
  readonly #work: FollowerWork;
  readonly #stopping = new AbortController();
  readonly #unsubscribe: () => void;
  #appended = Promise.withResolvers<void>();
  #position: Position;
  #saved: number;

  constructor(journal: FollowedJournal, clock: Clock, work: FollowerWork) {
    this.#journal = journal;
    this.#clock = clock;
    this.#work = work;
    if (work.isNew) journal.saveCursor(work.name, journal.head());
    // A journal that was restored from a backup is shorter than what was read of it.
    this.#position = Math.min(journal.cursor(work.name), journal.head()) as Position;
    this.#saved = this.#position;
    this.#unsubscribe = journal.onAppend(() => this.#appended.resolve());
  }

  /** The last event that was handled. */
  get position(): Position {
    return this.#position;
  }

  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Follows until `stop` is called. */
  async run(): Promise<void> {
    while (!this.stopping.aborted) await this.#guarded(() => this.#step());
    if (this.#work.drains === true) await this.#guarded(() => this.#drain());
    if (this.#position > this.#saved) await this.#guarded(() => this.#save());
  }

  /** Makes `run` end after what it is doing. */
  stop(): void {
    this.#unsubscribe();
    this.#stopping.abort();
    this.#appended.resolve();
  }

  async #step(): Promise<void> {
    // Before the read: an append while a page is handled must not be missed.
    this.#appended = Promise.withResolvers();
    if (await this.#page()) return letOthers();
    const againAtMs = (await this.#work.caughtUp?.(false)) ?? Number.POSITIVE_INFINITY;
    await this.#untilAppended(againAtMs);
    if (this.#work.coalesceMs !== undefined) await this.#clock.sleep(this.#work.coalesceMs, this.stopping);
  }

  async #untilAppended(atMs: number): Promise<void> {
    if (this.stopping.aborted) return;
    const woken = new AbortController();
    await Promise.race([this.#appended.promise, this.#clock.sleep(atMs - this.#clock.steadyMs(), woken.signal)]);
    woken.abort();
  }

  /** Handles what comes next; false when there is nothing. */
  async #page(): Promise<boolean> {
    const head = this.#journal.head();
    const page = this.#journal.read(this.#position, LIMITS.feedEventsMax);
    if (page.length === 0) {
      // Unreadable rows are left out of a page; the follower does not wait for them.
      this.#position = Math.max(this.#position, head) as Position;
      return false;
    }
    const { upTo, save } = await this.#work.handlePage(page, this.stopping);
    if (upTo !== null) this.#position = upTo;
    // Reading uninteresting events again is cheap; a durable write for each event is not.
    if (save || this.#position - this.#saved >= LIMITS.feedEventsMax) this.#save();
    return true;
  }

  async #drain(): Promise<void> {
    while (await this.#page()) await letOthers();
    await this.#work.caughtUp?.(true);
  }

  #save(): void {
    if (this.#work.holdsPosition?.() === true) return;
    this.#journal.saveCursor(this.#work.name, this.#position);
    this.#saved = this.#position;
  }

  async #guarded(act: () => unknown): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#work.onTrouble(error);
      await this.#clock.sleep(TROUBLE_MS, this.stopping);
    }
  }
}

/** Whether a follower of this name has never been started on this journal. Records that it now has. */
export function isFirstStart(journal: FollowedJournal, name: string): boolean {
  if (journal.fact(name) !== null) return false;
  journal.saveFact(name, 'begun');
  return true;
}
