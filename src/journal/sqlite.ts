import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { assert } from '../base/assert.ts';
import { isId } from '../base/ids.ts';
import type { Event, InputId } from '../core/event.ts';
import type { SessionId } from '../core/session.ts';
import { type AuditHead, type AuditNote, type AuditRow, auditRow } from './audit.ts';
import type { AuditQuery, Entry, History, Journal, ListQuery, Position, Row, UsageRow, Write } from './journal.ts';
import { eventsOf, project } from './project.ts';
import type { ScheduleStore } from './schedules.ts';
import { insertAudit, insertNote, readAudit, readAuditHead } from './sqlite-audit.ts';
import { type Fatal, guarded, raise } from './sqlite-guard.ts';
import { openDatabase } from './sqlite-open.ts';
import { countResumes, countSessions, readEntries, readHistory, readLive, readUsage } from './sqlite-read.ts';
import { BEGINNING, eventOf, journalError, rowsOf, WHICH } from './sqlite-rows.ts';
import { SqliteSchedules } from './sqlite-schedules.ts';
import {
  insertEvent,
  insertInput,
  insertUsage,
  purgeRows,
  saveCursor,
  saveFact,
  saveRow,
  setAside,
} from './sqlite-write.ts';
import { usageRows } from './usage-rows.ts';

/** A journal in a file. */
export interface StoredJournal extends Journal {
  /** Writes a complete copy, also when the journal's files were deleted while it is open. */
  saveAs(path: string): void;
}

/** The journal in SQLite: write-ahead log, synced at every commit. */
export function sqliteJournal(path: string, fatal: Fatal = raise): StoredJournal {
  return guarded(new SqliteJournal(openDatabase(path), fatal), fatal);
}

class SqliteJournal implements StoredJournal {
  readonly id: string;
  readonly schedules: ScheduleStore;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #looks = new Set<(session: SessionId) => void>();
  /** Live sessions as this writer left them: they are read all the time, and there is no other writer. */
  readonly #rows = new Map<SessionId, Row>();
  readonly #sqlOf = (text: string): StatementSync => this.#sql(text);
  readonly #fatal: Fatal;

  constructor(db: DatabaseSync, fatal: Fatal) {
    this.#db = db;
    this.#fatal = fatal;
    this.schedules = guarded(new SqliteSchedules(this.#sqlOf, (body) => this.#transaction(body)), fatal);
    this.id = String(db.prepare("SELECT value FROM facts WHERE key = 'journal'").get()?.value);
  }

  append(write: Write, ...more: readonly Write[]): Position | 'seen' | 'stale' {
    const result = this.#transaction(() => {
      const before = this.#row(write.session);
      let last = this.#appendInside(write, before);
      for (const each of last === 'seen' || last === 'stale' ? [] : more) {
        if (typeof last === 'object') last = this.#appendInside(each, last.row);
        assert(typeof last === 'object', 'writes that are kept together follow each other');
      }
      if (typeof last === 'object' && last.row !== null && last.row !== before) saveRow(this.#sqlOf, last.row);
      return last;
    });
    if (typeof result !== 'object') return result;
    // Only what is committed may be cached.
    if (result.row?.live) this.#rows.set(write.session, result.row);
    else this.#rows.delete(write.session);
    for (const look of this.#looks) look(write.session);
    return result.position;
  }

  #appendInside(write: Write, before: Row | null): { row: Row | null; position: Position } | 'seen' | 'stale' {
    if (write.cause !== null && this.taken(write.cause) !== null) return 'seen';
    let row = before;
    if ((row?.session.seq ?? 0) !== write.afterSeq) return 'stale';
    if (write.cause !== null) insertInput(this.#sqlOf, write.cause, write.session);
    let position = this.head();
    for (const event of eventsOf(write)) {
      position = insertEvent(this.#sqlOf, event);
      for (const used of usageRows(row?.session ?? null, event)) insertUsage(this.#sqlOf, used);
      const audited = auditRow(event, row?.session ?? null, () => this.auditHead());
      if (audited !== null) insertAudit(this.#sqlOf, audited);
      row = project(row, event, position);
    }
    return { row, position };
  }

  read(after: Position, eventsMax: number, session: SessionId | null = null): readonly Entry[] {
    return readEntries(this.#sqlOf, after, eventsMax, session);
  }

  session(id: SessionId): History {
    const history = readHistory(this.#sqlOf, id);
    if (history.unreadableAt !== null) this.#setAside(id, history.unreadableAt);
    return history;
  }

  /** A record that cannot be read must not stop every daemon: it is copied aside, and the session is marked. */
  #setAside(id: SessionId, position: Position): void {
    this.#rows.delete(id);
    this.#transaction(() => setAside(this.#sqlOf, id, position));
  }

  event(id: SessionId, seq: number): Event | null {
    const row = this.#sql('SELECT * FROM events WHERE session = ? AND seq = ?').get(id, seq);
    return row === undefined ? null : eventOf(row);
  }

  knows(session: SessionId): boolean {
    return this.#sql('SELECT 1 FROM sessions WHERE id = ?').get(session) !== undefined;
  }

  taken(cause: InputId): SessionId | null {
    return (this.#sql('SELECT session FROM inputs WHERE id = ?').get(cause)?.session ?? null) as SessionId | null;
  }

  live(): readonly SessionId[] {
    return readLive(this.#sqlOf);
  }

  head(): Position {
    return Number(this.#sql('SELECT max(position) AS head FROM events').get()?.head ?? 0) as Position;
  }

  list({ state, limit, before }: ListQuery): readonly Row[] {
    const sql = `SELECT * FROM sessions WHERE ${WHICH[state]} AND id < ? ORDER BY id DESC LIMIT ?`;
    return this.#rowsOf(this.#sql(sql).all(before ?? '~', limit));
  }

  find(word: string): Row | null {
    const byId = this.#row(word as SessionId);
    if (byId !== null) return byId.session.removed ? null : byId;
    // No session has a name of this form, and the ids of other state folders are looked up often.
    if (isId(word)) return null;
    const sql = 'SELECT * FROM sessions WHERE name = ? AND removed = 0 ORDER BY live DESC, id DESC LIMIT 1';
    return this.#rowsOf(this.#sql(sql).all(word))[0] ?? null;
  }

  beginning(prefix: string, limit: number): readonly Row[] {
    return this.#rowsOf(this.#sql(BEGINNING).all(prefix, `${prefix}~`, limit));
  }

  tree(root: SessionId): readonly Row[] {
    return this.#rowsOf(this.#sql('SELECT * FROM sessions WHERE id = ? OR root = ?').all(root, root));
  }

  resumes(sinceSteadyMs: number): number {
    return countResumes(this.#sqlOf, sinceSteadyMs);
  }

  count(): { live: number; all: number } {
    return countSessions(this.#sqlOf);
  }

  cursor(reader: string): number {
    return Number(this.#sql('SELECT position FROM cursors WHERE reader = ?').get(reader)?.position ?? 0);
  }

  saveCursor(reader: string, position: number): void {
    this.#transaction(() => saveCursor(this.#sqlOf, reader, position));
  }

  purge(beforeMs: number): number {
    return this.#transaction(() => purgeRows(this.#sqlOf, beforeMs));
  }

  audit(query: AuditQuery): readonly AuditRow[] {
    return readAudit(this.#sqlOf, query);
  }

  note(note: AuditNote, atMs: number): AuditRow {
    return this.#transaction(() => insertNote(this.#sqlOf, note, atMs));
  }

  auditHead(): AuditHead {
    return readAuditHead(this.#sqlOf);
  }

  onAppend(look: (session: SessionId) => void): () => void {
    this.#looks.add(look);
    return () => this.#looks.delete(look);
  }

  usage(sinceMs: number): readonly UsageRow[] {
    return readUsage(this.#sqlOf, sinceMs);
  }

  fact(key: string): string | null {
    return (this.#sql('SELECT value FROM facts WHERE key = ?').get(key)?.value ?? null) as string | null;
  }

  saveFact(key: string, value: string): void {
    this.#transaction(() => saveFact(this.#sqlOf, key, value));
  }

  saveAs(path: string): void {
    this.#sql('VACUUM INTO ?').run(path);
  }

  close(): void {
    this.#db.close();
  }

  #row(id: SessionId): Row | null {
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    return this.#rowsOf(this.#sql('SELECT * FROM sessions WHERE id = ?').all(id))[0] ?? null;
  }

  /** Rows of the projection. What was folded again is saved, so that a migration costs one read of the events. */
  #rowsOf(lines: readonly Record<string, unknown>[]): Row[] {
    const { rows, made } = rowsOf(lines, (id) => this.session(id));
    // An append saves the row itself, and must not fail because of another one.
    if (made.length === 0 || this.#db.isTransaction) return rows;
    try {
      this.#transaction(() => made.forEach((row) => saveRow(this.#sqlOf, row)));
    } catch {
      // The disk is full or busy: they are folded again at the next read.
    }
    return rows;
  }

  #sql(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }

  /** All or nothing. Inside another transaction it becomes part of that one. */
  #transaction<T>(body: () => T): T {
    if (this.#db.isTransaction) return body();
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      const result = body();
      this.#db.exec('COMMIT');
      return result;
    } catch (cause) {
      const error = journalError(cause);
      if (error === null) return this.#fatal(cause);
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }
}
