import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { Parts } from '../serve/parts.ts';
import { openQuestions, questionView } from '../views/questions.ts';

/** Lists the open questions. */
export function approvalList(parts: Parts, input: HandlerInput<'approval.list'>): CallOutput<'approval.list'> {
  const only = input.session === undefined ? null : parts.sessions.find(input.session).session.id;
  return { approvals: openQuestions(parts, only).flatMap((open) => questionView(parts, open)) };
}
