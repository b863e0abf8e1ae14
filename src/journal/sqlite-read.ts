import type { StatementSync } from 'node:sqlite';
import type { SessionId } from '../core/session.ts';
import type { Entry, Position } from './journal.ts';
import { eventOf } from './sqlite-rows.ts';

type Sql = (text: string) => StatementSync;

/** Events after a position, of all sessions or of one. Unreadable rows are left out. */
export function readEntries(sql: Sql, after: Position, eventsMax: number, session: SessionId | null): readonly Entry[] {
  const whose = session === null ? '' : 'AND session = ?';
  const text = `SELECT * FROM events WHERE position > ? ${whose} ORDER BY position LIMIT ?`;
  const rows = sql(text).all(after, ...(session === null ? [] : [session]), eventsMax);
  const entries = rows.flatMap((row) => {
    const event = eventOf(row);
    return event === null ? [] : [{ position: Number(row.position) as Position, event }];
  });
  const last = rows.at(-1);
  return entries.length === 0 && last !== undefined
    ? readEntries(sql, Number(last.position) as Position, eventsMax, session)
    : entries;
}

/** The number of resumes after faults since this steady time, of all sessions. */
export function countResumes(sql: Sql, sinceSteadyMs: number): number {
  // By the index alone, so that thousands of ended sessions are not read.
  const times = "SELECT count(*) FROM json_each(state, '$.recovery.resumedAtMs') WHERE value >= ?";
  // A row that a migration emptied still has the time of its last resume.
  const each = `CASE WHEN json_valid(state) THEN (${times}) ELSE 1 END`;
  const text = `SELECT sum(${each}) AS n FROM sessions WHERE resumed_steady_ms >= ?`;
  return Number(sql(text).get(sinceSteadyMs, sinceSteadyMs)?.n ?? 0);
}
