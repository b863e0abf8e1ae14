import { createHash } from 'node:crypto';
import type { Event, EventBody } from '../core/event.ts';
import { openQuestionsOf } from '../core/postponed.ts';
import type { Session } from '../core/session.ts';
import { storedBody } from '../core/stored-body.ts';

// Every decision about a tool call, and who may use the web page, in the order in which it happened. Each row has the
// hash of the one before it, so that a row that is changed, removed or inserted later is detected. Rows outlive the
// sessions they are about.

/** One row of the audit. */
export interface AuditRow {
  /** 1, 2, 3 … without gaps. */
  readonly number: number;
  readonly atMs: number;
  readonly session: string;
  /** The approval that it is about; null for a breach and a rule. */
  readonly approval: string | null;
  /** What happened, as complete JSON. */
  readonly record: string;
  /** The hash of the row before; that of the first is all zeros. */
  readonly prev: string;
  readonly hash: string;
}

/** The last row: a person who keeps it elsewhere can prove later that no rows were cut off. */
export interface AuditHead {
  readonly number: number;
  readonly hash: string;
}

/** A record of the audit, parsed. */
export interface AuditRecord {
  readonly event: AuditedType;
  readonly session: string;
  readonly name: string | null;
  readonly workspace: string;
  readonly tool: string | null;
  readonly by: string | null;
  readonly [field: string]: unknown;
}

const AUDITED = [
  'approval.decided',
  'approval.used',
  'approval.missed',
  'approval.refused',
  'approval.ruled',
  'approval.breached',
] as const satisfies readonly EventBody['type'][];

type AuditedType = (typeof AUDITED)[number];

export const NO_HASH = '0'.repeat(64);

/** The row for an event; null when it is not audited. */
export function auditRow(event: Event, session: Session | null, last: () => AuditHead): AuditRow | null {
  const { body, seq, atMs } = event;
  if (session === null || !isAudited(body)) return null;
  const head = last();
  const approval = 'approval' in body ? body.approval : null;
  const { type, ...fields } = storedBody(body);
  const known = { tool: toolOf(session, approval), by: null, ...fields };
  const { name, workspace } = session.spec;
  const record = JSON.stringify({ event: type, session: session.id, name, workspace, seq, ...known });
  const row = { number: head.number + 1, atMs, session: session.id, approval, record, prev: head.hash };
  return { ...row, hash: hashOfRow(row) };
}

/** What is kept in the audit and belongs to no session: who may use the web page. */
export interface AuditNote {
  readonly event: 'device.signed_in' | 'device.signed_out' | 'device.linked';
  readonly by: string;
  readonly [field: string]: unknown;
}

/** The row for something that belongs to no session. */
export function noteRow(note: AuditNote, atMs: number, head: AuditHead): AuditRow {
  const { event, ...fields } = note;
  const record = JSON.stringify({ event, session: '', name: null, workspace: '', tool: null, ...fields });
  const row = { number: head.number + 1, atMs, session: '', approval: null, record, prev: head.hash };
  return { ...row, hash: hashOfRow(row) };
}

/** The event of the row that begins a chain in a journal that was rebuilt or restored. */
const CHAIN = 'chain.begun';

/** The row that begins a new chain: it has the head of the previous one, whose last rows may be lost. */
export function chainRow(head: AuditHead, { journal, why, atMs }: Birth): AuditRow {
  const record = JSON.stringify({ event: CHAIN, session: '', journal, why, head: headText(head) });
  const row = { number: head.number + 1, atMs, session: '', approval: null, record, prev: NO_HASH };
  return { ...row, hash: hashOfRow(row) };
}

/** A journal that was rebuilt or restored. */
interface Birth {
  readonly journal: string;
  readonly why: string;
  readonly atMs: number;
}

/** A head as people note it: "NUMBER:HASH". */
export function headText({ number, hash }: AuditHead): string {
  return `${number}:${hash}`;
}

/** What is wrong with a row, given the row before it; null: nothing. */
export function faultOf(row: AuditRow, before: AuditHead): string | null {
  const expected = before.number + 1;
  if (row.number !== expected) return `row ${expected} is missing`;
  const named = namedHead(row);
  const isNext = named === null ? row.prev === before.hash : row.prev === NO_HASH && named === headText(before);
  if (!isNext) return `row ${row.number} does not follow the row before it`;
  if (row.hash !== hashOfRow(row)) return `row ${row.number} is not what was written`;
  return null;
}

/** The head that the first row of a chain names; null for any other row. */
function namedHead({ session, record }: AuditRow): string | null {
  if (session !== '') return null;
  try {
    const { event, head } = JSON.parse(record) as { event?: unknown; head?: unknown };
    return event === CHAIN ? String(head) : null;
  } catch {
    return null;
  }
}

function hashOfRow({ number, atMs, session, approval, record, prev }: Omit<AuditRow, 'hash'>): string {
  const text = JSON.stringify([number, atMs, session, approval, record, prev]);
  return createHash('sha256').update(text).digest('hex');
}

/** Is this kind of event kept in the audit? */
export function isAudited(body: EventBody): body is Extract<EventBody, { type: AuditedType }> {
  return AUDITED.some((type) => type === body.type);
}

function toolOf(session: Session, approval: string | null): string | null {
  const { answers } = session.gate;
  const asked =
    openQuestionsOf(session).find(({ id }) => id === approval) ?? answers.find((each) => each.approval === approval);
  return asked?.tool ?? null;
}
