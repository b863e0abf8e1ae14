import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { report } from '../report/report.ts';
import type { Parts } from '../serve/parts.ts';

/** A one-page report on a session. */
export function sessionReport(
  parts: Parts,
  input: HandlerInput<'session.report'>,
): CallOutput<'session.report'> | Promise<CallOutput<'session.report'>> {
  return report(parts, input);
}
