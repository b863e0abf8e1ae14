import type { Event } from '../../core/event.ts';
import type { SessionId } from '../../core/session.ts';
import type { Entry } from '../../journal/journal.ts';

const SESSIONS_MAX = 10_000;

/**
 * Which replies and ends callers have read: they waited for them, or printed them. Questions and holds are not read but
 * answered. In memory only: after a death of the daemon a person may be told what they know.
 */
export class Reads {
  readonly #upTo = new Map<SessionId, number>();

  /** Records that events of a session up to this position were read. */
  note(session: SessionId, position: number): void {
    const before = this.#upTo.get(session) ?? 0;
    // The newest goes to the end, so that the oldest is forgotten first.
    this.#upTo.delete(session);
    this.#upTo.set(session, Math.max(before, position));
    const [oldest] = this.#upTo.keys();
    if (this.#upTo.size > SESSIONS_MAX && oldest !== undefined) this.#upTo.delete(oldest);
  }

  /** Was this event read? */
  has({ position, event }: Entry): boolean {
    return isReadable(event) && position <= (this.#upTo.get(event.session) ?? 0);
  }
}

/** A reply or an end. */
export function isReadable({ body: { type } }: Event): boolean {
  return type === 'session.ended' || type === 'prompt.answered' || type === 'prompt.failed';
}
