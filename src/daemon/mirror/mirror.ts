import type { Clock } from '../../base/clock.ts';
import { errnoOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { letOthers } from '../../base/others.ts';
import type { SessionId } from '../../core/session.ts';
import { Follower, type Handled, isFirstStart } from '../../journal/follower.ts';
import type { Entry, Journal } from '../../journal/journal.ts';
import type { Config } from '../config/schema.ts';
import { SessionFolder } from './session.ts';

// Follows the journal and keeps files in each session's folder for people and scripts that do not use our API.
// It is a mirror: it may be late, it is never synced, and it is read only to rebuild a lost journal. Whatever it writes
// can be written again, so its position is saved only from time to time; after a crash some events are handled again.

/** The dependencies of the mirror. */
export interface MirrorParts {
  readonly journal: Omit<Journal, 'append' | 'close'>;
  readonly clock: Clock;
  readonly config: Pick<Config, 'state' | 'outputBytesMax'>;
  readonly log: Log;
}

/** The mirror of a running daemon. */
export interface Mirror {
  /** Writes everything that is pending, and ends. */
  stop(): Promise<void>;
}

/** How much text of one session is kept. */
const TEXT_BYTES_MAX = 16 * 1024 * 1024;
/** Events within this time are written together: most commands have ended when they are first written. */
const COALESCE_MS = 100;
/** A command that ends this soon is written once, not at each step. */
const YOUNG_MS = 500;
/** How often the log of a running command is extended, and failed writes are retried. */
const BEAT_MS = 2_000;
const READER = 'mirror';

/** Keeps the folders of all sessions up to date. */
export function startMirror(parts: MirrorParts): Mirror {
  const mirroring = new Mirroring(parts);
  return { stop: () => mirroring.stop() };
}

class Mirroring {
  readonly #parts: MirrorParts;
  readonly #follower: Follower;
  /** The folders of live sessions. */
  readonly #folders = new Map<SessionId, SessionFolder>();
  /** Commands that may end in a moment, and when they are written anyway. Oldest first. */
  readonly #young = new Map<SessionId, number>();
  /** Sessions whose write failed. */
  readonly #failed = new Set<SessionId>();
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
      holdsPosition: () => this.#failed.size > 0,
      onTrouble: (error) => log(`mirror: ${error instanceof Error ? error.message : error}`),
    });
    this.#loop = this.#keep();
  }

  async stop(): Promise<void> {
    this.#follower.stop();
    await this.#loop;
  }

  async #keep(): Promise<void> {
    // Running sessions may have printed while no daemon ran.
    for (const id of this.#parts.journal.live()) {
      if (this.#follower.stopping.aborted) break;
      await this.#write(id, []);
      await letOthers();
    }
    await this.#follower.run();
  }

  /** Writes what is due; returns when more is due. */
  async #caughtUp(isLast: boolean): Promise<number> {
    await this.#writeGrown(isLast);
    if (isLast || this.#parts.clock.steadyMs() >= this.#beatAtMs) await this.#beat();
    const isBusy = this.#failed.size > 0 || [...this.#folders.values()].some(({ grows }) => grows);
    const [youngAtMs = Number.POSITIVE_INFINITY] = this.#young.values();
    return Math.min(youngAtMs, isBusy ? this.#beatAtMs : Number.POSITIVE_INFINITY);
  }

  /** Handles the next events, session by session. */
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
    for (const id of [...this.#failed]) if (!(await this.#write(id, []))) break;
    for (const [id, folder] of [...this.#folders]) await this.#guard(id, () => folder.grow());
  }

  async #write(id: SessionId, entries: readonly Entry[]): Promise<boolean> {
    const { journal, config } = this.#parts;
    const textBytesMax = Math.min(config.outputBytesMax, TEXT_BYTES_MAX);
    const folder = this.#folders.get(id) ?? new SessionFolder({ journal, state: config.state, textBytesMax }, id);
    return this.#guard(id, async () => {
      if (await folder.refresh(entries)) this.#folders.set(id, folder);
      else this.#folders.delete(id);
      if (this.#failed.delete(id) && this.#failed.size === 0) this.#parts.log('mirror: all folders are written again');
    });
  }

  /** Runs a write. A failed one is retried later and logged once. A folder that was removed is ignored. */
  async #guard(id: SessionId, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      this.#folders.delete(id);
      const isFirst = this.#failed.size === 0;
      this.#failed.delete(id);
      if (errnoOf(error) === 'ENOENT') return true;
      if (isFirst) this.#parts.log(`mirror: the folder of ${id} cannot be written: ${error}`);
      // At the end: a folder that can never be written must not block the others.
      this.#failed.add(id);
      return false;
    }
  }
}
