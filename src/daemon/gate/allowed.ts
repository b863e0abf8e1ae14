import { LIMITS } from '../../base/limits.ts';
import type { SessionId } from '../../core/session.ts';
import type { Journal, Position } from '../../journal/journal.ts';

interface Known {
  /** The position up to which the session's events were read. */
  position: Position;
  readonly calls: Set<string>;
  /** The questions that were answered with yes. */
  readonly approvals: Set<string>;
}

/** How many sessions are cached; the events of others are read again on demand. */
const SESSIONS_MAX = 64;

/** The calls that were ever allowed, in any run of a session. Its events are read incrementally. */
export class AllowedCalls {
  readonly #journal: Pick<Journal, 'read'>;
  readonly #known = new Map<SessionId, Known>();

  constructor(journal: Pick<Journal, 'read'>) {
    this.#journal = journal;
  }

  has(session: SessionId, call: string): boolean {
    const known = this.#known.get(session) ?? { position: 0 as Position, calls: new Set(), approvals: new Set() };
    this.#remember(session, known);
    // An allowed call stays allowed: only a miss needs a look at newer events.
    return known.calls.has(call) || this.#readOn(session, known).calls.has(call);
  }

  #readOn(session: SessionId, known: Known): Known {
    for (;;) {
      const page = this.#journal.read(known.position, LIMITS.feedEventsMax, session);
      for (const { position, event } of page) {
        known.position = position;
        const { body } = event;
        if (body.type === 'approval.decided' && body.allow) {
          known.approvals.add(body.approval);
          if (body.call !== null) known.calls.add(body.call);
        }
        // A postponed call is made under another id.
        if (body.type === 'approval.repeated' && typeof body.call === 'string' && known.approvals.has(body.approval))
          known.calls.add(body.call);
      }
      if (page.length === 0) return known;
    }
  }

  /** Moves the session to the end of the cache order. */
  #remember(session: SessionId, known: Known): void {
    this.#known.delete(session);
    this.#known.set(session, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > SESSIONS_MAX && oldest !== undefined) this.#known.delete(oldest);
  }
}
