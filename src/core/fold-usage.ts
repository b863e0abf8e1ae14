import type { UsageBody } from './event-body.ts';
import { changed } from './parts.ts';
import type { Session } from './session.ts';

/** Usage as last counted. A count that belongs to no turn leaves the last turn unchanged. */
export function applyUsage(s: Session, body: UsageBody, atMs: number): Session {
  const { prompt, usage, upTo = null } = body;
  return changed(s, 'accounting', {
    usage,
    counted: prompt ?? s.accounting.counted,
    countedUpTo: { message: upTo, atMs },
  });
}
