import type { HandlerInput } from '../../api/contract.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Actor } from '../../core/actor.ts';
import { nextOfSchedule, plannedTimes } from '../../core/schedule/next-schedule.ts';
import type { Schedule, ScheduleBody, ScheduleId, ScheduleSpec } from '../../core/schedule/schedule.ts';
import type { SessionId } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import { timelineOf } from './cron.ts';
import { KeptSchedules } from './kept.ts';
import { isBusy, outcomeOf, ownerOf, type StartFor } from './outcome.ts';

export interface SchedulesParts {
  readonly state: string;
  readonly journal: Pick<Journal, 'schedules' | 'find' | 'taken' | 'onAppend'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly start: StartFor;
  /** There are new events of schedules. */
  readonly told: () => void;
}

/** A change that a caller asked for. */
export type Change = Extract<ScheduleBody, { type: 'schedule.paused' | 'schedule.resumed' | 'schedule.removed' }>;

/** How long to wait after the journal or the disk failed. */
const TROUBLE_MS = 10_000;

/**
 * All schedules, and the one loop that carries them out. Its only timer is for the next planned time. It looks again
 * when a schedule changes, when a session that one waits for ends, and when the machine woke up or its clock was set.
 */
export class Schedules {
  readonly #parts: SchedulesParts;
  readonly #kept: KeptSchedules;
  /** Schedules whose session is being started: a gate may have to be proven first, which takes a while. */
  readonly #starting = new Map<ScheduleId, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #unsubscribe: () => void;
  #woken = Promise.withResolvers<void>();
  #loop: Promise<void> = Promise.resolve();

  constructor(parts: SchedulesParts) {
    this.#parts = parts;
    const changed = (): void => {
      parts.told();
      this.wake();
    };
    this.#kept = new KeptSchedules({ ...parts, changed });
    this.#unsubscribe = parts.journal.onAppend((session) => this.#moved(session));
  }

  /** Finishes what the last daemon left undone, then carries out what is due from now on. */
  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stopping.abort();
    this.wake();
    await this.#loop;
    await Promise.all(this.#starting.values());
  }

  /** Looks again now: the machine slept, or its clock was set. */
  wake(): void {
    this.#woken.resolve();
  }

  /** All schedules but the removed ones, oldest first. */
  all(): readonly Schedule[] {
    return this.#kept.all();
  }

  /** The schedule with this id, this name, or an id that begins with this. */
  find(word: string): Schedule {
    return this.#kept.find(word);
  }

  /** The next planned time; null: none. */
  async nextMs(schedule: Schedule): Promise<number | null> {
    return (await this.followingMs(schedule, 1))[0] ?? null;
  }

  /** The next planned times. */
  async followingMs(schedule: Schedule, max: number): Promise<number[]> {
    const { when, timeZone } = schedule.spec;
    // One whose cron expression a new version cannot read any more has none.
    const timeline = await timelineOf(when, timeZone).catch(() => null);
    return timeline === null ? [] : plannedTimes(schedule, { nowMs: this.#parts.clock.wallMs(), ...timeline }, max);
  }

  /** Accepts a schedule: it is durable when this returns. */
  create(spec: ScheduleSpec, request: HandlerInput<'session.start'>, by: Actor): Promise<Schedule> {
    return this.#kept.create(spec, request, by);
  }

  /** Pauses, resumes or removes a schedule. */
  async change(id: ScheduleId, body: Change): Promise<Schedule> {
    await this.#kept.loaded();
    return this.#kept.append(id, [body]);
  }

  /** Starts a session now, besides the planned ones, and returns the schedule as it is then. */
  async runNow(id: ScheduleId): Promise<Schedule> {
    await this.#kept.loaded();
    await this.#starting.get(id);
    if (this.find(id).open === null)
      this.#kept.append(id, [{ type: 'schedule.starting', plannedMs: this.#parts.clock.wallMs(), why: 'asked' }]);
    await this.#begun(id);
    return this.find(id);
  }

  async #run(): Promise<void> {
    await this.#kept.loaded();
    while (!this.#stopping.signal.aborted) {
      this.#woken = Promise.withResolvers();
      const waitMs = this.#pass();
      const cut = new AbortController();
      const sleep = this.#parts.clock.sleep(waitMs, AbortSignal.any([this.#stopping.signal, cut.signal]));
      await Promise.race([this.#woken.promise, sleep]);
      cut.abort();
    }
  }

  /** Does everything that is due; returns how long nothing else is. */
  #pass(): number {
    let untilMs = Number.POSITIVE_INFINITY;
    for (const id of this.#kept.ids()) {
      try {
        untilMs = Math.min(untilMs, this.#steps(id) ?? Number.POSITIVE_INFINITY);
      } catch (error) {
        this.#parts.log('a schedule is delayed', { schedule: id, why: String(error) });
        untilMs = Math.min(untilMs, this.#parts.clock.wallMs() + TROUBLE_MS);
      }
    }
    return untilMs - this.#parts.clock.wallMs();
  }

  /** Does what is due for one schedule; returns when more is. */
  #steps(id: ScheduleId): number | null {
    for (;;) {
      const known = this.#kept.get(id);
      if (known === null || this.#starting.has(id) || this.#stopping.signal.aborted) return null;
      const { journal, clock } = this.#parts;
      const { schedule, timeline } = known;
      const step = nextOfSchedule(schedule, {
        nowMs: clock.wallMs(),
        after: timeline.after,
        isBusy: isBusy(journal, schedule),
        isOrphan: schedule.spec.owner !== null && ownerOf(journal, schedule) === null,
      });
      if (step.do === 'wait') return step.untilMs;
      if (step.do === 'start') void this.#begun(id);
      else this.#kept.append(id, step.events);
    }
  }

  /** Starts the session of the open start. Only one at a time for each schedule. */
  #begun(id: ScheduleId): Promise<void> {
    const running = this.#starting.get(id);
    if (running !== undefined) return running;
    const begun = this.#begin(id).finally(() => {
      this.#starting.delete(id);
      this.wake();
    });
    this.#starting.set(id, begun);
    return begun;
  }

  async #begin(id: ScheduleId): Promise<void> {
    const schedule = this.#kept.get(id)?.schedule;
    if (schedule?.open == null) return;
    const { journal, start, log, clock } = this.#parts;
    try {
      const { folders } = this.#kept;
      const result = await outcomeOf({ journal, start, folders }, schedule, schedule.open.plannedMs);
      // It may have been removed meanwhile.
      if (this.#kept.get(id) !== null) this.#kept.append(id, [result]);
    } catch (error) {
      // The start stays open: the next try finds out whether there is a session.
      log('a start of a schedule is delayed', { schedule: id, why: String(error) });
      await clock.sleep(TROUBLE_MS, this.#stopping.signal);
    }
  }

  /** A session changed: one that a schedule waits for, or one that owns it, may be done. */
  #moved(session: SessionId): void {
    for (const id of this.#kept.ids()) {
      const schedule = this.#kept.get(id)?.schedule;
      const isAwaited = schedule?.waitingMs != null && schedule.session === session;
      if (isAwaited || schedule?.spec.owner === session) return this.wake();
    }
  }
}
