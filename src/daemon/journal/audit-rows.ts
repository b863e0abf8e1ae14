import { letOthers } from '../../base/others.ts';
import type { AuditRow } from '../../journal/audit.ts';
import type { Journal } from '../../journal/journal.ts';

/** How many rows are read at once; other calls are served in between. */
const PAGE_ROWS = 500;

/** The rows of the audit after a number, in pages. */
export async function* auditRows(journal: Pick<Journal, 'audit'>, after: number): AsyncGenerator<AuditRow> {
  for (let last = after; ; ) {
    const rows = journal.audit({ after: last, limit: PAGE_ROWS });
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.number;
    await letOthers();
  }
}
