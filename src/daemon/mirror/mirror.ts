import type { Clock } from '../../base/clock.ts';
import { errnoOf } from '../../base/errors.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import { letOthers } from '../../base/others.ts';
import type { SessionId } from '../../core/session.ts';
import type { Entry, Journal, Position } from '../../journal/journal.ts';
import type { Config } from '../config/schema.ts';
import { SessionFolder } from './session.ts';

// A reader of the journal that keeps files in each session's folder for people and scripts that know nothing of us.
// It is a mirror: it may be late, it is never synced, and nothing but a lost journal is made from it. What it writes
// can be written again, so its position is saved now and then only; a crash means that a little is looked at once more.

/** What the mirror works with. */
export interface MirrorParts {
  readonly journal: Omit<Journal, 'append' | 'close'>;
  readonly clock: Clock;
  readonly config: Pick<Config, 'state' | 'outputBytesMax'>;
  readonly log: Log;
}

/** The mirror while the daemon lives. */
export interface Mirror {
  /** Writes what is left to write, and ends. */
  stop(): Promise<void>;
}

/** Kept of the text of one session. */
const TEXT_BYTES_MAX = 16 * 1024 * 1024;
/** What happens together is written together: most commands are over when they are first written. */
const COALESCE_MS = 100;
/** A command that is over so soon is written once, not at each step of it. */
const YOUNG_MS = 500;
/** How often the log of a command that goes on is added to, and what failed is tried again. */
const BEAT_MS = 2_000;
const READER = 'mirror';

/** Keeps the folders of all sessions current, from the first start on. */
export function startMirror(parts: MirrorParts): Mirror {
  const mirroring = new Mirroring(parts);
  return { stop: () => mirroring.stop() };
}

class Mirroring {
  readonly #parts: MirrorParts;
  /** Of sessions that are not over. */
  readonly #folders = new Map<SessionId, SessionFolder>();
  /** Commands that may be over in a moment, and when they are written although they are not. Oldest first. */
  readonly #young = new Map<SessionId, number>();
  /** Sessions that could not be written. */
  readonly #owed = new Set<SessionId>();
  readonly #stopping = new AbortController();
  readonly #deaf: () => void;
  readonly #loop: Promise<void>;
  #news = Promise.withResolvers<void>();
  #position: number;
  #saved: number;
  #beatAtMs: number;

  constructor(parts: MirrorParts) {
    const { journal, clock } = parts;
    this.#parts = parts;
    const isNew = journal.fact(READER) === null;
    if (isNew) {
      journal.saveCursor(READER, journal.head());
      journal.saveFact(READER, 'kept');
    }
    // A journal that was set back to an older copy is shorter than what was read of it.
    this.#position = Math.min(journal.cursor(READER), journal.head());
    this.#saved = this.#position;
    this.#beatAtMs = clock.steadyMs() + BEAT_MS;
    this.#deaf = journal.onAppend(() => this.#news.resolve());
    this.#loop = this.#keep();
  }

  async stop(): Promise<void> {
    this.#deaf();
    this.#stopping.abort();
    this.#news.resolve();
    await this.#loop;
  }

  async #keep(): Promise<void> {
    const { clock, log } = this.#parts;
    // What goes on may have printed while no daemon was there.
    for (const id of this.#parts.journal.live()) {
      if (this.#stopping.signal.aborted) break;
      await this.#write(id, []);
      await letOthers();
    }
    for (;;) {
      const isLast = this.#stopping.signal.aborted;
      this.#news = Promise.withResolvers();
      try {
        while (await this.#page()) await letOthers();
        await this.#writeGrown(isLast);
        if (isLast || clock.steadyMs() >= this.#beatAtMs) await this.#beat();
        this.#save(isLast);
      } catch (error) {
        // The journal cannot be read or written. That is for others to mend; this reader stays, and looks again.
        log(`mirror: ${error instanceof Error ? error.message : error}`);
        await clock.sleep(BEAT_MS, this.#stopping.signal);
      }
      if (isLast) return;
      await this.#rest();
    }
  }

  /** Until something happens; while something goes on, at most until the next beat. */
  async #rest(): Promise<void> {
    const { clock } = this.#parts;
    const woken = new AbortController();
    const isBusy = this.#owed.size > 0 || [...this.#folders.values()].some(({ grows }) => grows);
    const [youngAtMs = Number.POSITIVE_INFINITY] = this.#young.values();
    const atMs = Math.min(youngAtMs, isBusy ? this.#beatAtMs : Number.POSITIVE_INFINITY);
    await Promise.race([this.#news.promise, clock.sleep(atMs - clock.steadyMs(), woken.signal)]);
    woken.abort();
    await clock.sleep(COALESCE_MS, this.#stopping.signal);
  }

  /** Takes the next events, session by session; tells whether there may be more. */
  async #page(): Promise<boolean> {
    const entries = this.#parts.journal.read(this.#position as Position, LIMITS.feedEventsMax);
    const last = entries.at(-1);
    if (last === undefined) return false;
    const bySession = Map.groupBy(entries, ({ event }) => event.session);
    for (const [id, own] of bySession) {
      if (this.#isYoung(id, own)) continue;
      await this.#write(id, own);
      await letOthers();
    }
    this.#position = last.position;
    return true;
  }

  #isYoung(id: SessionId, own: readonly Entry[]): boolean {
    const first = own[0]?.event.body;
    const isNew = first?.type === 'session.created' && first.spec.drive === 'command';
    if (isNew && !this.#folders.has(id)) this.#young.set(id, this.#parts.clock.steadyMs() + YOUNG_MS);
    if (own.some(({ event }) => event.body.type === 'session.ended')) this.#young.delete(id);
    return this.#young.has(id);
  }

  async #writeGrown(isAll: boolean): Promise<void> {
    for (const [id, dueMs] of [...this.#young]) {
      if (!isAll && dueMs > this.#parts.clock.steadyMs()) return;
      this.#young.delete(id);
      await this.#write(id, []);
    }
  }

  async #beat(): Promise<void> {
    this.#beatAtMs = this.#parts.clock.steadyMs() + BEAT_MS;
    for (const id of [...this.#owed]) if (!(await this.#write(id, []))) break;
    for (const [id, folder] of [...this.#folders]) await this.#guard(id, () => folder.grow());
  }

  async #write(id: SessionId, entries: readonly Entry[]): Promise<boolean> {
    const { journal, config } = this.#parts;
    const textBytesMax = Math.min(config.outputBytesMax, TEXT_BYTES_MAX);
    const folder = this.#folders.get(id) ?? new SessionFolder({ journal, state: config.state, textBytesMax }, id);
    return this.#guard(id, async () => {
      if (await folder.refresh(entries)) this.#folders.set(id, folder);
      else this.#folders.delete(id);
      if (this.#owed.delete(id) && this.#owed.size === 0) this.#parts.log('mirror: all is written again');
    });
  }

  /** What cannot be written now is written later, and said once. A folder that is gone is gone. */
  async #guard(id: SessionId, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      this.#folders.delete(id);
      const isFirst = this.#owed.size === 0;
      this.#owed.delete(id);
      if (errnoOf(error) === 'ENOENT') return true;
      if (isFirst) this.#parts.log(`mirror: the folder of ${id} cannot be written: ${error}`);
      // To the end: one that can never be written must not stand before the others.
      this.#owed.add(id);
      return false;
    }
  }

  #save(isLast: boolean): void {
    const behind = this.#position - this.#saved;
    if (this.#owed.size > 0 || behind === 0 || (!isLast && behind < LIMITS.feedEventsMax)) return;
    this.#parts.journal.saveCursor(READER, this.#position);
    this.#saved = this.#position;
  }
}
