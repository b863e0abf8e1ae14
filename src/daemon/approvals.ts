import { assert } from '../base/assert.ts';
import type { SessionId } from '../core/session.ts';
import type { Journal } from '../journal/journal.ts';

/** What was said with an answer: the reason that reaches the agent, and what the tool is given instead. */
export function saidWith(journal: Journal, session: SessionId, seq: number): { why: string; edit?: string } {
  const body = journal.session(session).events[seq - 1]?.body;
  assert(body?.type === 'approval.decided', `event ${seq} of ${session} is an answer`);
  const { allow, by, why, edit } = body;
  const text =
    why === '' ? `${allow ? 'Allowed' : 'Denied'} by ${by}.` : `${allow ? 'Allowed' : 'Denied'} by ${by}: ${why}`;
  return { why: text, ...(edit === undefined ? {} : { edit }) };
}

/** Was this call ever allowed, in any run of the session? */
export function wasAllowed(journal: Journal, session: SessionId, call: string): boolean {
  const { events } = journal.session(session);
  return events.some(({ body }) => body.type === 'approval.decided' && body.call === call && body.allow);
}
