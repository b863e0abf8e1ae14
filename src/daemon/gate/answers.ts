import type { CallOutput } from '../../api/contract.ts';
import { assert } from '../../base/assert.ts';
import { actorText } from '../../core/actor.ts';
import type { SessionId } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';

/** The answer that was given to a question; null when there is none. */
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

/** Of a record that somebody broke nothing is known; `audit verify` names it. */
function fieldsOf(record: string): Record<string, unknown> {
  try {
    return JSON.parse(record) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** What was said with an answer: the reason that reaches the agent, and what the tool is given instead. */
export function saidWith(
  journal: Pick<Journal, 'event'>,
  session: SessionId,
  seq: number,
): { why: string; edit?: string } {
  const body = journal.event(session, seq)?.body;
  assert(body?.type === 'approval.decided', `event ${seq} of ${session} is an answer`);
  const { allow, by, why, edit } = body;
  const told = `${allow ? 'Allowed' : 'Denied'} by ${actorText(by)}`;
  const text = why === '' ? `${told}.` : `${told}: ${why}`;
  return { why: text, ...(edit === undefined ? {} : { edit }) };
}
