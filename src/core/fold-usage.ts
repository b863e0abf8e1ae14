import type { UsageBody } from './event-body.ts';
import { changed } from './parts.ts';
import type { Session } from './session.ts';

/** What was used up, as it was last counted. A count that belongs to no turn leaves the last turn as it was. */
export function applyUsage(s: Session, body: UsageBody, atMs: number): Session {
  const { prompt, usage, upTo = null } = body;
  return changed(s, 'accounting', {
    usage,
    counted: prompt ?? s.accounting.counted,
    countedUpTo: { message: upTo, atMs },
  });
}
