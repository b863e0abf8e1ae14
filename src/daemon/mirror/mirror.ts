import type { Clock } from '../../base/clock.ts';
import { errnoOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { letOthers } from '../../base/others.ts';
import type { SessionId } from '../../core/session.ts';
import { Follower, type Handled, isFirstStart } from '../../journal/follower.ts';
import type { Entry, Journal } from '../../journal/journal.ts';
import type { Config } from '../config/schema.ts';
import { SessionFolder } from './session.ts';

// Follows the journal and keeps files in each session's folder for people and scripts that know nothing of us.
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
  readonly #follower: Follower;
  /** Of sessions that are not over. */
  readonly #folders = new Map<SessionId, SessionFolder>();
  /** Commands that may be over in a moment, and when they are written although they are not. Oldest first. */
  readonly #young = new Map<SessionId, number>();
  /** Sessions that could not be written. */
  readonly #owed = new Set<SessionId>();
  readonly #loop: Promise<void>;
  #beatAtMs: number;

  constructor(parts: MirrorParts) {
    const { journal, clock, log } = parts;
    this.#parts = parts;
    this.#beatAtMs = clock.steadyMs() + BEAT_MS;
    this.#follower = new Follower(journal, clock, {
      name: READER,
      isNew: isFirstStart(journal, READER),
      coalesceMs: COALESCE_MS,
      drains: true,
      handlePage: (page) => this.#page(page),
      caughtUp: (isLast) => this.#caughtUp(isLast),
      holdsPosition: () => this.#owed.size > 0,
      onTrouble: (error) => log(`mirror: ${error instanceof Error ? error.message : error}`),
    });
    this.#loop = this.#keep();
  }

  async stop(): Promise<void> {
    this.#follower.stop();
    await this.#loop;
  }

  async #keep(): Promise<void> {
    // What goes on may have printed while no daemon was there.
    for (const id of this.#parts.journal.live()) {
      if (this.#follower.stopping.aborted) break;
      await this.#write(id, []);
      await letOthers();
    }
    await this.#follower.run();
  }

  /** Writes what is due; gives the time at which more is. */
  async #caughtUp(isLast: boolean): Promise<number> {
    await this.#writeGrown(isLast);
    if (isLast || this.#parts.clock.steadyMs() >= this.#beatAtMs) await this.#beat();
    const isBusy = this.#owed.size > 0 || [...this.#folders.values()].some(({ grows }) => grows);
    const [youngAtMs = Number.POSITIVE_INFINITY] = this.#young.values();
    return Math.min(youngAtMs, isBusy ? this.#beatAtMs : Number.POSITIVE_INFINITY);
  }

  /** Takes the next events, session by session. */
  async #page(entries: readonly Entry[]): Promise<Handled> {
    const bySession = Map.groupBy(entries, ({ event }) => event.session);
    for (const [id, own] of bySession) {
      if (this.#isYoung(id, own)) continue;
      await this.#write(id, own);
      await letOthers();
    }
    return { upTo: entries.at(-1)?.position ?? null, save: false };
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
}
