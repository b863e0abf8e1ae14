import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { type AuditHead, faultOf, headText, NO_HASH } from '../../journal/audit.ts';
import { auditRows } from '../journal/audit-rows.ts';
import type { Parts } from '../serve/parts.ts';

/** Verifies the whole chain, up to the first wrong row. */
export async function auditVerify(
  { journal }: Pick<Parts, 'journal'>,
  { head }: HandlerInput<'audit.verify'>,
): Promise<CallOutput<'audit.verify'>> {
  const kept = head === undefined ? null : headOf(head);
  let before: AuditHead = { number: 0, hash: NO_HASH };
  const wrong = (fault: string, row: number): CallOutput<'audit.verify'> => ({
    ...{ ok: false, fault, row, rows: before.number, head: headText(journal.auditHead()) },
  });
  for await (const row of auditRows(journal, 0)) {
    const fault = faultOf(row, before);
    if (fault !== null) return wrong(fault, before.number + 1);
    if (row.number === kept?.number && row.hash !== kept.hash)
      return wrong(`row ${row.number} differs from the saved head`, row.number);
    before = row;
  }
  if (kept !== null && before.number < kept.number)
    return wrong(`row ${before.number + 1} is missing`, before.number + 1);
  return { ok: true, fault: null, row: null, rows: before.number, head: headText(before) };
}

function headOf(text: string): AuditHead {
  const [number = '', hash = ''] = text.split(':');
  return { number: Number(number), hash };
}
