import type { Clock } from '../../base/clock.ts';
import type { SessionId } from '../../core/session.ts';

/** From the start of a session to the first word of its caller that it waits for it. */
const COME_MS_MAX = 10_000;

/** Callers that start something to wait for it. One that dies in between must not leave an end that nobody hears of. */
export class Callers {
  readonly #clock: Clock;
  readonly #left: (session: SessionId) => void;
  readonly #due = new Set<SessionId>();

  /** `left` is called for each session whose caller never came. */
  constructor(clock: Clock, left: (session: SessionId) => void) {
    this.#clock = clock;
    this.#left = left;
  }

  async expect(session: SessionId): Promise<void> {
    this.#due.add(session);
    await this.#clock.sleep(COME_MS_MAX);
    if (this.#due.delete(session)) this.#left(session);
  }

  came(session: SessionId): void {
    this.#due.delete(session);
  }
}
