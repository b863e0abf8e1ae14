import type { Clock } from '../../base/clock.ts';
import type { SessionId } from '../../core/session.ts';

/** How long after the start of a session its caller must ask to wait for it. */
const COME_MS_MAX = 10_000;

/** Callers that start a session to wait for it. If one dies in between, its end must still be announced. */
export class Callers {
  readonly #clock: Clock;
  readonly #gone: (session: SessionId) => void;
  readonly #due = new Set<SessionId>();

  /** `gone` is called for each session whose caller never asked. */
  constructor(clock: Clock, gone: (session: SessionId) => void) {
    this.#clock = clock;
    this.#gone = gone;
  }

  async expect(session: SessionId): Promise<void> {
    this.#due.add(session);
    await this.#clock.sleep(COME_MS_MAX);
    if (this.#due.delete(session)) this.#gone(session);
  }

  came(session: SessionId): void {
    this.#due.delete(session);
  }
}
