import type { StatementSync } from 'node:sqlite';
import type { Schedule, ScheduleBody, ScheduleEvent, ScheduleId } from '../core/schedule/schedule.ts';
import {
  SCHEDULE_EVENTS_MAX,
  type ScheduleEntry,
  type ScheduleQuery,
  type ScheduleStore,
  type ScheduleWrite,
  scheduleAfter,
} from './schedules.ts';

type Sql = (text: string) => StatementSync;
type Transaction = <T>(body: () => T) => T;

/** The schedules of a journal in SQLite. */
export class SqliteSchedules implements ScheduleStore {
  readonly #sql: Sql;
  readonly #transaction: Transaction;

  constructor(sql: Sql, transaction: Transaction) {
    this.#sql = sql;
    this.#transaction = transaction;
  }

  all(): readonly Schedule[] {
    const lines = this.#sql('SELECT state FROM schedules ORDER BY id').all();
    return lines.flatMap(({ state }) => parsed<Schedule>(state) ?? []);
  }

  append(write: ScheduleWrite): Schedule | 'stale' {
    return this.#transaction(() => {
      const line = this.#sql('SELECT state FROM schedules WHERE id = ?').get(write.schedule);
      const made = scheduleAfter(line === undefined ? null : parsed<Schedule>(line.state), write);
      if (made === null) return 'stale';
      for (const event of made.events) this.#insert(event);
      this.#save(made.after);
      return made.after;
    });
  }

  put(schedule: Schedule): void {
    this.#transaction(() => this.#save(schedule));
  }

  events({ after, limit, schedule }: ScheduleQuery): readonly ScheduleEntry[] {
    const whose = schedule === undefined ? '' : 'AND schedule = ?';
    const text = `SELECT * FROM schedule_events WHERE number > ? ${whose} ORDER BY number LIMIT ?`;
    const lines = this.#sql(text).all(after, ...(schedule === undefined ? [] : [schedule]), limit);
    return lines.flatMap((line) => {
      const body = parsed<ScheduleBody>(line.body);
      if (body === null) return [];
      const event = { schedule: line.schedule as ScheduleId, seq: Number(line.seq), atMs: Number(line.at_ms), body };
      return [{ number: Number(line.number), event }];
    });
  }

  head(): number {
    return Number(this.#sql('SELECT max(number) AS head FROM schedule_events').get()?.head ?? 0);
  }

  purge(beforeMs: number): void {
    const past = 'SELECT id FROM schedules WHERE removed = 1 AND changed_ms < ?';
    this.#transaction(() => {
      this.#sql(`DELETE FROM schedule_events WHERE schedule IN (${past})`).run(beforeMs);
      this.#sql('DELETE FROM schedules WHERE removed = 1 AND changed_ms < ?').run(beforeMs);
    });
  }

  #save(schedule: Schedule): void {
    const { id, seq, state, changedMs } = schedule;
    this.#sql('INSERT OR REPLACE INTO schedules VALUES (?, ?, ?, ?, ?)').run(
      ...([id, seq, Number(state === 'removed'), changedMs, JSON.stringify(schedule)] as const),
    );
  }

  #insert({ schedule, seq, atMs, body }: ScheduleEvent): void {
    const text = 'INSERT OR REPLACE INTO schedule_events (schedule, seq, at_ms, body) VALUES (?, ?, ?, ?)';
    this.#sql(text).run(schedule, seq, atMs, JSON.stringify(body));
    const old = 'DELETE FROM schedule_events WHERE schedule = ? AND seq <= ?';
    this.#sql(old).run(schedule, seq - SCHEDULE_EVENTS_MAX);
  }
}

function parsed<T>(text: unknown): T | null {
  try {
    return JSON.parse(String(text)) as T;
  } catch {
    return null;
  }
}
