import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { letOthers } from '../../base/others.ts';
import { type AuditHead, type AuditRecord, type AuditRow, faultOf, headText, NO_HASH } from '../../journal/audit.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Parts } from './parts.ts';

type Wanted = HandlerInput<'audit.read'>;

/** Rows read at once; others are served in between. */
const PAGE_ROWS = 500;

/** Reads the decisions, oldest first. */
export async function* readAudit(
  { journal }: Pick<Parts, 'journal'>,
  input: Wanted,
): AsyncGenerator<CallOutput<'audit.read'>> {
  for await (const row of rowsOf(journal, input.after)) {
    const record = recordOf(row);
    if (!isWanted(row, record, input)) continue;
    yield { number: row.number, ts: new Date(row.atMs).toISOString(), record, prev: row.prev, hash: row.hash };
  }
}

/** Goes through the whole chain, up to the first row that is wrong. */
export async function verifyAudit(
  { journal }: Pick<Parts, 'journal'>,
  { head }: HandlerInput<'audit.verify'>,
): Promise<CallOutput<'audit.verify'>> {
  const kept = head === undefined ? null : headOf(head);
  let before: AuditHead = { number: 0, hash: NO_HASH };
  const wrong = (fault: string, row: number): CallOutput<'audit.verify'> => ({
    ...{ ok: false, fault, row, rows: before.number, head: headText(journal.auditHead()) },
  });
  for await (const row of rowsOf(journal, 0)) {
    const fault = faultOf(row, before);
    if (fault !== null) return wrong(fault, before.number + 1);
    if (row.number === kept?.number && row.hash !== kept.hash)
      return wrong(`row ${row.number} is another one than the head that was kept`, row.number);
    before = row;
  }
  if (kept !== null && before.number < kept.number)
    return wrong(`row ${before.number + 1} is missing`, before.number + 1);
  return { ok: true, fault: null, row: null, rows: before.number, head: headText(before) };
}

async function* rowsOf(journal: Pick<Journal, 'audit'>, after: number): AsyncGenerator<AuditRow> {
  for (let last = after; ; ) {
    const rows = journal.audit({ after: last, limit: PAGE_ROWS });
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.number;
    await letOthers();
  }
}

/** A record that cannot be read is shown as it is: `audit verify` names it. */
function recordOf({ record, session }: AuditRow): AuditRecord | Record<string, unknown> {
  try {
    return JSON.parse(record) as AuditRecord;
  } catch {
    return { session, unreadable: record };
  }
}

function isWanted({ atMs, session }: AuditRow, record: Record<string, unknown>, input: Wanted): boolean {
  if (input.session !== undefined && input.session !== session && input.session !== record.name) return false;
  if (input.tool !== undefined && input.tool !== record.tool) return false;
  if (input.by !== undefined && input.by !== record.by) return false;
  return input.sinceMs === undefined || atMs >= input.sinceMs;
}

function headOf(text: string): AuditHead {
  const [number = '', hash = ''] = text.split(':');
  return { number: Number(number), hash };
}
