import type { StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { Event, InputId } from '../core/event.ts';
import type { SessionId } from '../core/session.ts';
import { storedBody } from '../core/stored-body.ts';
import type { Position, Row, UsageRow } from './journal.ts';
import { valuesOf } from './sqlite-rows.ts';

type Sql = (text: string) => StatementSync;

/** Writes an event, at the next position or at a given free one; returns its position. */
export function insertEvent(sql: Sql, event: Event, position: number | null = null): Position {
  const body = JSON.stringify(storedBody(event.body));
  const result = sql(
    'INSERT INTO events (position, session, seq, at_ms, steady_ms, cause, body, crc) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(position, event.session, event.seq, event.atMs, event.steadyMs, event.cause?.id ?? null, body, crc32(body));
  return Number(result.lastInsertRowid) as Position;
}

/** Records an input. */
export function insertInput(sql: Sql, id: InputId, session: SessionId): void {
  sql('INSERT INTO inputs (id, session) VALUES (?, ?)').run(id, session);
}

/** Writes a usage row. */
export function insertUsage(sql: Sql, { byKind, ...row }: UsageRow): void {
  const { atMs, session, name, model, turns, tokens, usd } = row;
  const kinds = [byKind?.input ?? null, byKind?.output ?? null, byKind?.cacheRead ?? null, byKind?.cacheWrite ?? null];
  sql(
    `INSERT INTO usage
       (at_ms, session, name, model, turns, tokens, usd, input, output, cache_read, cache_write)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(...([atMs, session, name, model, turns, tokens, usd, ...kinds] as const));
}

/** Writes a row of the projection. */
export function saveRow(sql: Sql, row: Row): void {
  sql(
    `INSERT INTO sessions
       (id, name, live, removed, ended_at_ms, position, unreadable_at, state, resumed_steady_ms, root)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET live = excluded.live, removed = excluded.removed, state = excluded.state,
       ended_at_ms = excluded.ended_at_ms, position = excluded.position, unreadable_at = excluded.unreadable_at,
       resumed_steady_ms = excluded.resumed_steady_ms, root = excluded.root`,
  ).run(...valuesOf(row));
}

/** Copies a record that cannot be read, and marks its session. */
export function setAside(sql: Sql, id: SessionId, position: Position): void {
  sql(
    'INSERT OR IGNORE INTO quarantine SELECT position, session, CAST(body AS BLOB) FROM events WHERE position = ?',
  ).run(position);
  sql('UPDATE sessions SET unreadable_at = ? WHERE id = ?').run(position, id);
}

/** Writes how far a reader has read. */
export function saveCursor(sql: Sql, reader: string, position: number): void {
  const text = 'INSERT INTO cursors VALUES (?, ?) ON CONFLICT DO UPDATE SET position = excluded.position';
  sql(text).run(reader, position);
}

/** Writes a fact about this host. */
export function saveFact(sql: Sql, key: string, value: string): void {
  sql('INSERT INTO facts VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value').run(key, value);
}

/** Deletes what is left of removed sessions that ended before this time; returns the number of events deleted. */
export function purgeRows(sql: Sql, beforeMs: number): number {
  const past = 'SELECT id FROM sessions WHERE removed = 1 AND ended_at_ms < ?';
  const { changes } = sql(`DELETE FROM events WHERE session IN (${past})`).run(beforeMs);
  // The semicolon follows the colon in ASCII: these are the readers whose name begins with "reader:ID:".
  const own = "reader > 'reader:' || id || ':' AND reader < 'reader:' || id || ';'";
  const readers = `SELECT reader FROM (${past}) CROSS JOIN cursors ON ${own}`;
  sql(`DELETE FROM cursors WHERE reader IN (${readers})`).run(beforeMs);
  sql('DELETE FROM sessions WHERE removed = 1 AND ended_at_ms < ?').run(beforeMs);
  return Number(changes);
}
