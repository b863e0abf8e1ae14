import type { CallOutput } from '../../api/contract.ts';
import { assert } from '../../base/assert.ts';
import { actorText } from '../../core/actor.ts';
import { POSTPONED } from '../../core/postponed.ts';
import type { SessionId } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';

/** The answer to a question; null: there is none. */
export function decisionOn(
  journal: Pick<Journal, 'audit'>,
  id: string,
): NonNullable<CallOutput<'approval.follow'>['decided']> | null {
  for (const { record } of journal.audit({ after: 0, limit: 10, approval: id })) {
    const { event, allow, by, why } = fieldsOf(record);
    if (event === 'approval.decided') return { allow: allow === true, by: String(by), why: String(why) };
  }
  return null;
}

/** Nothing is known about a damaged record; `audit verify` names it. */
function fieldsOf(record: string): Record<string, unknown> {
  try {
    return JSON.parse(record) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The details of an answer: the reason for the agent, and the edited input. */
export function saidWith(
  journal: Pick<Journal, 'event'>,
  session: SessionId,
  seq: number,
): { why: string; edit?: string } {
  const body = journal.event(session, seq)?.body;
  if (body?.type === 'approval.postponed') return { why: POSTPONED };
  assert(body?.type === 'approval.decided', `event ${seq} of ${session} is an answer`);
  const { allow, by, why, edit } = body;
  const told = `${allow ? 'Allowed' : 'Denied'} by ${actorText(by)}`;
  const text = why === '' ? `${told}.` : `${told}: ${why}`;
  return { why: text, ...(edit === undefined ? {} : { edit }) };
}
