import type { Event } from '../../core/event.ts';
import type { Session, SessionId } from '../../core/session.ts';

/**
 * The sessions to which a person is attached, as the events read so far say. The state of a session is newer than the
 * event that is told, and after its end it does not say who was there.
 */
export class Attended {
  readonly #known = new Map<SessionId, boolean>();

  /** Takes the next event. */
  note({ session, body }: Event): void {
    if (body.type === 'control.taken') this.#known.set(session, body.how === 'attach');
    if (body.type === 'control.returned') this.#known.set(session, false);
    if (body.type === 'session.removed' || body.type === 'session.resumed') this.#known.delete(session);
  }

  /** Is a person attached, who sees for themselves? */
  has({ id, attendance }: Session): boolean {
    return this.#known.get(id) ?? attendance.control?.how === 'attach';
  }
}
