import type { StatementSync } from 'node:sqlite';
import type { Event } from '../core/event.ts';
import type { Session, SessionId } from '../core/session.ts';
import type { Entry, History, Position, UsageRow } from './journal.ts';
import { applied, eventOf, usageRowOf } from './sqlite-rows.ts';

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

/** One session from its beginning, up to the first record that cannot be read or cannot follow. */
export function readHistory(sql: Sql, id: SessionId): History {
  const events: Event[] = [];
  let state: Session | null = null;
  for (const row of sql('SELECT * FROM events WHERE session = ? ORDER BY seq').all(id)) {
    const event = eventOf(row);
    state = event && applied(state, event);
    if (event === null || state === null) return { events, unreadableAt: Number(row.position) as Position };
    events.push(event);
  }
  return { events, unreadableAt: null };
}

/** The sessions that have not ended. */
export function readLive(sql: Sql): SessionId[] {
  const rows = sql('SELECT id FROM sessions WHERE removed = 0 AND live = 1 ORDER BY id').all();
  return rows.map((row) => row.id as SessionId);
}

/** How many sessions there are, without those that were removed. */
export function countSessions(sql: Sql): { live: number; all: number } {
  const row = sql('SELECT count(*) AS n, sum(live) AS live FROM sessions WHERE removed = 0').get();
  return { live: Number(row?.live ?? 0), all: Number(row?.n ?? 0) };
}

/** What was used up from this time on. */
export function readUsage(sql: Sql, sinceMs: number): UsageRow[] {
  return sql('SELECT * FROM usage WHERE at_ms >= ? ORDER BY at_ms, rowid').all(sinceMs).map(usageRowOf);
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
