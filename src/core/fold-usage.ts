import type { EventBody } from './event.ts';
import type { Session } from './session.ts';

/** What was used up, as it was last counted. A count that belongs to no turn leaves the last turn as it was. */
export function applyUsage(s: Session, body: EventBody, atMs: number): Session {
  if (body.type !== 'usage.counted') throw new Error(`apply: no such event: ${body.type}`);
  const { prompt, usage, upTo = null } = body;
  return { ...s, usage, counted: prompt ?? s.counted, countedUpTo: { message: upTo, atMs } };
}
