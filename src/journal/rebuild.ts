import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Event, EventBody, InputId } from '../core/event.ts';
import type { Session, SessionId } from '../core/session.ts';
import { type AuditHead, type AuditRow, auditRow, chainRow, faultOf, isAudited, NO_HASH } from './audit.ts';
import type { Row } from './journal.ts';
import { project } from './project.ts';
import type { Salvage } from './salvage.ts';
import { insertAudit, readAuditHead } from './sqlite-audit.ts';
import { openDatabase } from './sqlite-open.ts';
import { insertEvent, insertInput, insertUsage, saveRow } from './sqlite-write.ts';
import { usageRows } from './usage-rows.ts';

/** An event as it was found, with its former position in the journal; null: not known. */
export interface Found {
  readonly position: number | null;
  readonly event: Event;
}

/** The identity of a rebuilt or restored journal. */
export interface Birth {
  /** Its id. */
  readonly journal: string;
  readonly why: string;
  readonly atMs: number;
}

interface Audited {
  readonly event: Event;
  readonly before: Session;
  readonly position: number;
}

/**
 * Writes a journal from what was recovered of another. Events keep their positions, so that saved positions stay valid.
 * All of it is one transaction: everything exists when `finish` returns, or nothing.
 */
export class JournalWriter {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #sql = (text: string): StatementSync => this.#prepare(text);
  readonly #audited: Audited[] = [];
  /** Sessions whose events lost their positions; they are written last. */
  readonly #moved: Found[][] = [];
  readonly #rows = new Map<SessionId, Row>();
  #steadyMs = 0;

  constructor(path: string) {
    this.#db = openDatabase(path);
    this.#db.exec('BEGIN IMMEDIATE');
  }

  /** The newest steady time of all events written. */
  get steadyMs(): number {
    return this.#steadyMs;
  }

  /** Writes one session, from its first event. */
  session(found: readonly Found[]): void {
    const [first] = found;
    if (first === undefined) return;
    if (found.some(({ position }) => position === null || this.#isTaken(position))) this.#moved.push([...found]);
    else this.#write(found);
  }

  /** All sessions that were written, in their current state. */
  sessions(): Session[] {
    for (const found of this.#moved.splice(0)) this.#write(found);
    return [...this.#rows.values()].map(({ session }) => session);
  }

  /** Appends to a session what has become known since. */
  append({ id }: Session, bodies: readonly EventBody[], times: Pick<Event, 'atMs' | 'steadyMs'>): void {
    for (const body of bodies) {
      const seq = (this.#rows.get(id)?.session.seq ?? 0) + 1;
      this.#add({ position: null, event: { session: id, seq, ...times, cause: null, body } });
    }
  }

  /** Copies what only the journal has: recorded inputs, usage, and the positions of readers. */
  copy(
    source: Salvage,
    isWanted: { readonly fact: (key: string) => boolean; readonly cursor: (name: string) => boolean },
  ) {
    for (const [id, session] of source.pairs('inputs')) this.#put('inputs', id, session);
    for (const [key, value] of source.pairs('facts')) if (isWanted.fact(key)) this.#put('facts', key, value);
    for (const [name, position] of source.pairs('cursors'))
      if (isWanted.cursor(name)) this.#put('cursors', name, Number(position));
    // The usage of sessions that exist is counted from their events.
    for (const row of source.usage()) if (!this.#rows.has(row.session)) insertUsage(this.#sql, row);
  }

  /** Writes a fact, unless it exists. */
  fact(key: string, value: string): void {
    this.#put('facts', key, value);
  }

  /** Completes the journal: the audit continues in a new chain, which has the head of the previous one. */
  finish(audit: readonly AuditRow[], birth: Birth): void {
    for (const row of this.#rows.values()) saveRow(this.#sql, row);
    for (const row of inOrder(audit)) insertAudit(this.#sql, row);
    const old = readAuditHead(this.#sql);
    insertAudit(this.#sql, chainRow(old, birth));
    const known = new Set(audit.map(({ record }) => placeOf(record)));
    for (const { event, before } of this.#audited.toSorted((a, b) => a.position - b.position)) {
      const row = auditRow(event, before, () => readAuditHead(this.#sql));
      if (row !== null && !known.has(`${event.session} ${event.seq}`)) insertAudit(this.#sql, row);
    }
    this.#sql("UPDATE facts SET value = ? WHERE key = 'journal'").run(birth.journal);
    this.#db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE);');
    this.close();
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #write(found: readonly Found[]): void {
    for (const each of found) this.#add(each);
  }

  #add({ position, event }: Found): void {
    const at = insertEvent(this.#sql, event, this.#free(position));
    const row = this.#rows.get(event.session) ?? null;
    const before = row?.session ?? null;
    for (const used of usageRows(before, event)) insertUsage(this.#sql, used);
    if (event.cause !== null) this.#input(event.cause.id, event.session);
    if (before !== null && isAudited(event.body)) this.#audited.push({ event, before, position: at });
    this.#rows.set(event.session, project(row, event, at));
    this.#steadyMs = Math.max(this.#steadyMs, event.steadyMs);
  }

  #free(position: number | null): number | null {
    return position !== null && this.#isTaken(position) ? null : position;
  }

  #isTaken(position: number): boolean {
    return this.#sql('SELECT 1 FROM events WHERE position = ?').get(position) !== undefined;
  }

  #input(cause: InputId, session: SessionId): void {
    const isKnown = this.#sql('SELECT 1 FROM inputs WHERE id = ?').get(cause) !== undefined;
    if (!isKnown) insertInput(this.#sql, cause, session);
  }

  #put(table: 'inputs' | 'cursors' | 'facts', key: string, value: string | number): void {
    this.#sql(`INSERT OR IGNORE INTO ${table} VALUES (?, ?)`).run(key, value);
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

/** The rows up to the first one that does not follow. */
function inOrder(rows: readonly AuditRow[]): AuditRow[] {
  let head: AuditHead = { number: 0, hash: NO_HASH };
  const good: AuditRow[] = [];
  for (const row of rows) {
    if (faultOf(row, head) !== null) break;
    good.push(row);
    head = row;
  }
  return good;
}

/** Which event a row is about. */
function placeOf(record: string): string {
  try {
    const { session, seq } = JSON.parse(record) as { session?: unknown; seq?: unknown };
    return `${session} ${seq}`;
  } catch {
    return '';
  }
}
