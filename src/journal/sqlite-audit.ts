import type { StatementSync } from 'node:sqlite';
import { type AuditHead, type AuditNote, type AuditRow, NO_HASH, noteRow } from './audit.ts';
import type { AuditQuery } from './journal.ts';

type Sql = (text: string) => StatementSync;

/** The last row of the audit. */
export function readAuditHead(sql: Sql): AuditHead {
  const row = sql('SELECT number, hash FROM audit WHERE number = (SELECT max(number) FROM audit)').get();
  return row === undefined ? { number: 0, hash: NO_HASH } : { number: Number(row.number), hash: String(row.hash) };
}

/** Writes a row, inside the transaction of its event. */
export function insertAudit(sql: Sql, { number, atMs, session, approval, record, prev, hash }: AuditRow): void {
  sql('INSERT INTO audit (number, at_ms, session, approval, record, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?)').run(
    number,
    atMs,
    session,
    approval,
    record,
    prev,
    hash,
  );
}

/** Writes a row that belongs to no session. */
export function insertNote(sql: Sql, note: AuditNote, atMs: number): AuditRow {
  const row = noteRow(note, atMs, readAuditHead(sql));
  insertAudit(sql, row);
  return row;
}

/** Rows after a number, oldest first. */
export function readAudit(sql: Sql, { after, limit, approval }: AuditQuery): AuditRow[] {
  const which = approval === undefined ? '' : 'AND approval = ?';
  const rows = sql(`SELECT * FROM audit WHERE number > ? ${which} ORDER BY number LIMIT ?`);
  return rows.all(after, ...(approval === undefined ? [] : [approval]), limit).map(auditRowOf);
}

/** A row as the table has it. */
export function auditRowOf(row: Record<string, unknown>): AuditRow {
  return {
    number: Number(row.number),
    atMs: Number(row.at_ms),
    session: String(row.session),
    approval: row.approval === null ? null : String(row.approval),
    record: String(row.record),
    prev: String(row.prev),
    hash: String(row.hash),
  };
}
