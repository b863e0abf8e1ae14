import { causeOf } from '../core/cause.ts';
import type { Event } from '../core/event.ts';
import { apply } from '../core/fold.ts';
import type { Session } from '../core/session.ts';
import type { Position, Row, Write } from './journal.ts';

/** The events of a write, numbered. */
export function eventsOf(write: Write): Event[] {
  const { session, afterSeq, atMs, steadyMs } = write;
  const cause = write.cause === null ? null : causeOf(write.cause);
  return write.events.map((body, i) => ({ session, seq: afterSeq + 1 + i, atMs, steadyMs, cause, body }));
}

/** The projection after one more event. */
export function project(row: Row | null, event: Event, position: Position): Row {
  const session = apply(row?.session ?? null, event);
  return {
    session,
    live: session.phase.at !== 'ended',
    endedAtMs: endedAtMs(row, session, event),
    position,
    unreadableAt: row?.unreadableAt ?? null,
  };
}

/** A session that was resumed has not ended. */
function endedAtMs(row: Row | null, session: Session, event: Event): number | null {
  if (session.phase.at !== 'ended') return null;
  return event.body.type === 'session.ended' ? event.atMs : (row?.endedAtMs ?? null);
}
