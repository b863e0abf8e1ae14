import type { MetricFamily } from '../../api/contract-metrics.ts';
import type { Clock } from '../../base/clock.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import { letOthers } from '../../base/others.ts';
import type { Event } from '../../core/event.ts';
import type { SessionId } from '../../core/session.ts';
import { Follower } from '../../journal/follower.ts';
import type { Entry, Journal, Position } from '../../journal/journal.ts';
import { countEvent, countSchedule } from './count-event.ts';
import { Counters, type StoredCounts } from './counters.ts';
import { type Tracked, track } from './tracked.ts';

// Counts the events of the journal. The counts, what they depend on and the position up to which they go are one fact
// of the journal, written at once: after a crash the events behind that position are counted again, on top of the
// counts that were stored with it. So each event counts exactly once, however often the daemon is killed.

/** The dependencies of the tally. */
export interface TallyParts {
  readonly journal: Pick<
    Journal,
    'id' | 'read' | 'head' | 'cursor' | 'saveCursor' | 'onAppend' | 'fact' | 'saveFact' | 'session' | 'schedules'
  >;
  readonly clock: Clock;
  readonly log: Log;
}

/** The fact in the journal. */
interface Stored {
  /** Of which journal: one that was rebuilt or restored begins again. */
  readonly journal: string;
  readonly createdMs: number;
  readonly position: Position;
  /** The number of the last event of a schedule that was counted. */
  readonly schedules: number;
  readonly counts: StoredCounts;
  readonly tracked: Readonly<Record<string, Tracked>>;
}

const NAME = 'metrics';
/** Nobody waits for the counts: who reads them counts the rest at once. */
const COALESCE_MS = 1_000;

/** Counts what happens, from the first start of a daemon with it on. */
export class Tally {
  readonly #parts: TallyParts;
  readonly #follower: Follower;
  readonly #loop: Promise<void>;
  readonly #counters: Counters;
  readonly #tracked: Map<string, Tracked>;
  /** When the counts were 0, wall time. */
  readonly createdMs: number;
  #position: Position;
  #saved: Position;
  #schedules: number;

  constructor(parts: TallyParts) {
    const { journal, clock, log } = parts;
    this.#parts = parts;
    const stored = storedIn(journal) ?? this.#begun();
    this.createdMs = stored.createdMs;
    this.#counters = new Counters(stored.counts);
    this.#tracked = new Map(Object.entries(stored.tracked));
    this.#position = stored.position;
    this.#saved = stored.position;
    this.#schedules = stored.schedules;
    // The fact decides: the follower's own position may be of another moment.
    if (journal.cursor(NAME) !== stored.position) journal.saveCursor(NAME, stored.position);
    this.#follower = new Follower(journal, clock, {
      name: NAME,
      isNew: false,
      coalesceMs: COALESCE_MS,
      handlePage: (page) => this.#page(page),
      onTrouble: (error) => log(`metrics: ${error instanceof Error ? error.message : error}`),
    });
    this.#loop = this.#follower.run();
  }

  /** All counts up to the newest event. */
  async families(): Promise<MetricFamily[]> {
    const { journal } = this.#parts;
    for (let page = this.#next(); page.length > 0; page = this.#next()) {
      this.#count(page);
      await letOthers();
    }
    for (const { number, event } of journal.schedules.events({ after: this.#schedules, limit: LIMITS.feedEventsMax })) {
      countSchedule(this.#counters, event);
      this.#schedules = number;
    }
    return this.#counters.families(this.createdMs);
  }

  async stop(): Promise<void> {
    this.#follower.stop();
    await this.#loop;
    await this.families();
    this.#save();
  }

  #begun(): Stored {
    const { journal, clock } = this.#parts;
    const from = { position: journal.head(), schedules: journal.schedules.head() };
    const begun = { journal: journal.id, createdMs: clock.wallMs(), ...from, counts: {}, tracked: {} };
    journal.saveFact(NAME, JSON.stringify(begun));
    return begun;
  }

  #next(): readonly Entry[] {
    return this.#parts.journal.read(this.#position, LIMITS.feedEventsMax);
  }

  async #page(page: readonly Entry[]) {
    // A reader of the counts may have counted some of them already.
    this.#count(page.filter(({ position }) => position > this.#position));
    if (this.#position - this.#saved >= LIMITS.feedEventsMax) {
      await this.families();
      this.#save();
    }
    return { upTo: page.at(-1)?.position ?? null, save: false };
  }

  #count(page: readonly Entry[]): void {
    for (const { event, position } of page) {
      const known = this.#known(event);
      countEvent(this.#counters, known ?? { agent: 'unknown' }, event);
      const after = track(known, event);
      if (after === null) this.#tracked.delete(event.session);
      else this.#tracked.set(event.session, after);
      this.#position = position;
    }
  }

  /** What is known about its session from before. One that was resumed, or is older than the counts, is read again. */
  #known({ session, seq }: Event): Tracked | undefined {
    const known = this.#tracked.get(session);
    if (known !== undefined || seq === 1) return known;
    return knownBefore(this.#parts.journal, session, seq);
  }

  #save(): void {
    const { journal } = this.#parts;
    const stored: Stored = {
      journal: journal.id,
      createdMs: this.createdMs,
      position: this.#position,
      schedules: this.#schedules,
      counts: this.#counters.stored(),
      tracked: Object.fromEntries(this.#tracked),
    };
    journal.saveFact(NAME, JSON.stringify(stored));
    this.#saved = this.#position;
  }
}

function storedIn(journal: TallyParts['journal']): Stored | null {
  const stored = JSON.parse(journal.fact(NAME) ?? 'null') as Stored | null;
  const isOurs = stored?.journal === journal.id && stored.position <= journal.head();
  return isOurs ? { ...stored, schedules: Math.min(stored.schedules, journal.schedules.head()) } : null;
}

function knownBefore(journal: TallyParts['journal'], session: SessionId, seq: number): Tracked | undefined {
  const earlier = journal.session(session).events.filter((event) => event.seq < seq);
  return earlier.reduce<Tracked | undefined>((known, event) => track(known, event) ?? known, undefined);
}
