import { applySchedule } from '../core/schedule/fold-schedule.ts';
import type { Schedule, ScheduleBody, ScheduleEvent, ScheduleId } from '../core/schedule/schedule.ts';

/** Schedules in the journal: the state of each, and its newest events. */
export interface ScheduleStore {
  /** All of them, oldest first, also removed ones until they are purged. */
  all(): readonly Schedule[];

  /**
   * Durable when it returns: the events, and the state after them. All are kept, or none. 'stale': the schedule has
   * moved past afterSeq.
   */
  append(write: ScheduleWrite): Schedule | 'stale';

  /** Takes over a schedule as its folder has it, instead of an older state or none. */
  put(schedule: Schedule): void;

  /** Events after a number, oldest first; of all schedules, or of one. */
  events(query: ScheduleQuery): readonly ScheduleEntry[];

  /** The number of the newest event; 0: there is none. */
  head(): number;

  /** Deletes schedules, and their events, that were removed before this time. */
  purge(beforeMs: number): void;
}

export interface ScheduleWrite {
  readonly schedule: ScheduleId;
  readonly afterSeq: number;
  readonly events: readonly ScheduleBody[];
  readonly atMs: number;
}

export interface ScheduleQuery {
  /** Only events after this number. */
  readonly after: number;
  readonly limit: number;
  /** Only those of this schedule. */
  readonly schedule?: ScheduleId;
}

/** An event of a schedule, and its number among the events of all schedules. */
export interface ScheduleEntry {
  readonly number: number;
  readonly event: ScheduleEvent;
}

/** How many events each schedule keeps. */
export const SCHEDULE_EVENTS_MAX = 200;

/** The events of a write, and the state after them; null: the schedule has moved on. */
export function scheduleAfter(
  before: Schedule | null,
  { schedule, afterSeq, events, atMs }: ScheduleWrite,
): { readonly events: readonly ScheduleEvent[]; readonly after: Schedule } | null {
  if ((before?.seq ?? 0) !== afterSeq) return null;
  const made = events.map((body, i) => ({ schedule, seq: afterSeq + 1 + i, atMs, body }));
  const after = made.reduce<Schedule | null>(applySchedule, before);
  return after === null ? null : { events: made, after };
}
