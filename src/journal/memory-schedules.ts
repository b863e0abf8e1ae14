import type { Schedule, ScheduleId } from '../core/schedule/schedule.ts';
import {
  type ScheduleEntry,
  type ScheduleQuery,
  type ScheduleStore,
  type ScheduleWrite,
  scheduleAfter,
} from './schedules.ts';

/** Schedules in memory. */
export class MemorySchedules implements ScheduleStore {
  readonly #schedules = new Map<ScheduleId, Schedule>();
  #entries: ScheduleEntry[] = [];
  #head = 0;

  all(): readonly Schedule[] {
    return [...this.#schedules.values()];
  }

  append(write: ScheduleWrite): Schedule | 'stale' {
    const made = scheduleAfter(this.#schedules.get(write.schedule) ?? null, write);
    if (made === null) return 'stale';
    for (const event of made.events) {
      this.#head += 1;
      this.#entries.push({ number: this.#head, event });
    }
    this.#schedules.set(write.schedule, made.after);
    return made.after;
  }

  put(schedule: Schedule): void {
    this.#schedules.set(schedule.id, schedule);
  }

  events({ after, limit, schedule }: ScheduleQuery): readonly ScheduleEntry[] {
    const isWanted = ({ number, event }: ScheduleEntry): boolean =>
      number > after && (schedule === undefined || event.schedule === schedule);
    return this.#entries.filter(isWanted).slice(0, limit);
  }

  head(): number {
    return this.#head;
  }

  purge(beforeMs: number): void {
    for (const { id, state, changedMs } of this.all()) {
      if (state !== 'removed' || changedMs >= beforeMs) continue;
      this.#schedules.delete(id);
      this.#entries = this.#entries.filter(({ event }) => event.schedule !== id);
    }
  }
}
