import type { HandlerInput } from '../../api/contract.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import type { Actor } from '../../core/actor.ts';
import { ENDED_KEPT_MS } from '../../core/schedule/next-schedule.ts';
import type { Schedule, ScheduleBody, ScheduleId, ScheduleSpec } from '../../core/schedule/schedule.ts';
import type { Journal } from '../../journal/journal.ts';
import { type Timeline, timelineOf } from './cron.ts';
import { ScheduleFolders } from './folders.ts';
import { recovered } from './recover.ts';

export interface KeptParts {
  readonly state: string;
  readonly journal: Pick<Journal, 'schedules'>;
  readonly clock: Clock;
  readonly log: Log;
  /** A schedule has changed. */
  readonly changed: () => void;
}

/** A schedule, and its planned times. */
export interface Known {
  readonly schedule: Schedule;
  readonly timeline: Timeline;
}

/** The schedules as they are kept: in the journal, and in a folder each. The only code that writes their events. */
export class KeptSchedules {
  readonly folders: ScheduleFolders;
  readonly #parts: KeptParts;
  readonly #known = new Map<ScheduleId, Known>();
  #loaded: Promise<void> | null = null;

  constructor(parts: KeptParts) {
    this.#parts = parts;
    this.folders = new ScheduleFolders(parts.state);
  }

  /** Resolves when what the last daemon left is known; nothing may change before. */
  loaded(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  ids(): ScheduleId[] {
    return [...this.#known.keys()];
  }

  /** A schedule that can be carried out. */
  get(id: ScheduleId): Known | null {
    return this.#known.get(id) ?? null;
  }

  /** All schedules but the removed ones, oldest first. */
  all(): readonly Schedule[] {
    return this.#parts.journal.schedules.all().filter(({ state }) => state !== 'removed');
  }

  /** The schedule with this id, this name, or an id that begins with this. */
  find(word: string): Schedule {
    const all = this.all();
    const named = all.filter(({ spec }) => spec.name === word).toReversed();
    const live = named.find(({ state }) => state !== 'ended');
    const exact = all.find(({ id }) => id === word) ?? live ?? named[0];
    if (exact !== undefined) return exact;
    const [found, ...others] = word === '' ? [] : all.filter(({ id }) => id.startsWith(word));
    if (found === undefined) throw new OutlastError('schedule_not_found', `there is no schedule "${word}"`);
    if (others.length === 0) return found;
    throw new OutlastError('schedule_not_found', `the ids of ${others.length + 1} schedules begin with "${word}"`);
  }

  /** Accepts a schedule: its request and then its first event are durable when this returns. */
  async create(spec: ScheduleSpec, request: HandlerInput<'session.start'>, by: Actor): Promise<Schedule> {
    const timeline = await timelineOf(spec.when, spec.timeZone);
    await this.loaded();
    // From here on nothing waits: the same request may come twice at once.
    const before = this.#same(spec);
    if (before !== null) return before;
    const { clock, journal } = this.#parts;
    const atMs = clock.wallMs();
    const id = newId(atMs) as ScheduleId;
    try {
      this.folders.keep(id, request);
      const events: ScheduleBody[] = [{ type: 'schedule.created', spec, by }];
      const made = journal.schedules.append({ schedule: id, afterSeq: 0, events, atMs });
      if (made === 'stale') throw new Error(`the id ${id} was used before`);
      this.#set(made, timeline);
      return made;
    } catch (error) {
      this.folders.remove(id);
      throw error;
    }
  }

  /** Writes events of a schedule. */
  append(id: ScheduleId, events: readonly ScheduleBody[]): Schedule {
    const { journal, clock, log } = this.#parts;
    const known = this.#known.get(id);
    if (known === undefined) throw new OutlastError('schedule_failed', `the schedule ${id} cannot be carried out`);
    const write = { schedule: id, afterSeq: known.schedule.seq, events, atMs: clock.wallMs() };
    const made = journal.schedules.append(write);
    if (made === 'stale') throw new Error(`the schedule ${id} was changed by somebody else`);
    log('a schedule changed', { schedule: id, name: made.spec.name, events: events.map(({ type }) => type) });
    this.#set(made, known.timeline);
    return made;
  }

  /** The schedule of an earlier request with the same key; a name that another one has is refused. */
  #same(spec: ScheduleSpec): Schedule | null {
    const all = this.all();
    const same = spec.key === null ? undefined : all.find(({ spec: { key } }) => key === spec.key);
    const isTaken = all.some((each) => each.spec.name === spec.name && each.state !== 'ended');
    if (same === undefined && spec.name !== null && isTaken)
      throw new OutlastError('name_taken', `there is a schedule named "${spec.name}"`);
    return same ?? null;
  }

  async #load(): Promise<void> {
    const { journal, log, clock } = this.#parts;
    try {
      for (const schedule of recovered(journal.schedules, this.folders, log)) await this.#open(schedule);
      journal.schedules.purge(clock.wallMs() - ENDED_KEPT_MS);
    } catch (error) {
      log('schedules cannot be read', { why: String(error) });
    }
  }

  async #open(schedule: Schedule): Promise<void> {
    try {
      const { when, timeZone } = schedule.spec;
      this.#known.set(schedule.id, { schedule, timeline: await timelineOf(when, timeZone) });
    } catch (error) {
      this.#parts.log('a schedule cannot be carried out', { schedule: schedule.id, why: String(error) });
    }
  }

  #set(schedule: Schedule, timeline: Timeline): void {
    if (schedule.state === 'removed') {
      this.#known.delete(schedule.id);
      this.folders.remove(schedule.id);
    } else {
      this.#known.set(schedule.id, { schedule, timeline });
      this.#mirror(schedule);
    }
    this.#parts.changed();
  }

  #mirror(schedule: Schedule): void {
    try {
      this.folders.mirror(schedule);
    } catch (error) {
      // The journal has it; the next change writes it again.
      this.#parts.log('the state of a schedule cannot be copied', { schedule: schedule.id, why: String(error) });
    }
  }
}
