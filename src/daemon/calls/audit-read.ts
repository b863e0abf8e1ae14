import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { AuditRecord, AuditRow } from '../../journal/audit.ts';
import { auditRows } from '../journal/audit-rows.ts';
import type { Parts } from '../serve/parts.ts';

type Wanted = HandlerInput<'audit.read'>;

/** Reads the decisions, oldest first. */
export async function* auditRead(
  { journal }: Pick<Parts, 'journal'>,
  input: Wanted,
): AsyncGenerator<CallOutput<'audit.read'>> {
  for await (const row of auditRows(journal, input.after)) {
    const record = recordOf(row);
    if (!isWanted(row, record, input)) continue;
    yield { number: row.number, ts: new Date(row.atMs).toISOString(), record, prev: row.prev, hash: row.hash };
  }
}

/** A record of the audit. An unreadable one is shown as it is: `audit verify` names it. */
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
