import { letOthers } from '../../base/others.ts';
import type { SessionId } from '../../core/session.ts';
import type { Entry, Journal, Position } from '../../journal/journal.ts';
import { SessionTrace } from './session-trace.ts';
import type { SpanRecord } from './span.ts';

/** A turn that has ended and waits for its usage. */
interface Waiting {
  readonly sinceMs: number;
  readonly position: Position;
}

const PAGE_MAX = 500;

/** The spans of all sessions that have begun. */
export class Traces {
  readonly #journal: Pick<Journal, 'read'>;
  readonly #hasContent: boolean;
  readonly #sessions = new Map<SessionId, SessionTrace>();
  readonly #waiting = new Map<SessionId, Waiting>();

  constructor(journal: Pick<Journal, 'read'>, hasContent: boolean) {
    this.#journal = journal;
    this.#hasContent = hasContent;
  }

  /** The spans that these events end, in their order. */
  async take(page: readonly Entry[], nowMs: number): Promise<SpanRecord[]> {
    const spans: SpanRecord[] = [];
    for (const { event, position } of page) {
      const trace = this.#sessions.get(event.session) ?? (await this.#read(event.session, position));
      const isOver = event.body.type === 'session.ended' || event.body.type === 'session.removed';
      spans.push(...trace.take(event));
      if (!trace.waits) this.#waiting.delete(event.session);
      else if (!this.#waiting.has(event.session)) this.#waiting.set(event.session, { sinceMs: nowMs, position });
      if (isOver) this.#sessions.delete(event.session);
      else this.#sessions.set(event.session, trace);
    }
    return spans;
  }

  /** The turns that have waited for their usage since before this time. */
  flush(beforeMs: number): SpanRecord[] {
    const late = [...this.#waiting].filter(([, { sinceMs }]) => sinceMs <= beforeMs);
    return late.flatMap(([session]) => {
      this.#waiting.delete(session);
      return this.#sessions.get(session)?.flush() ?? [];
    });
  }

  /** The oldest turn that waits: when it began to, and its position; null: none does. */
  get oldest(): Waiting | null {
    const [first = null] = [...this.#waiting.values()].sort((one, other) => one.position - other.position);
    return first;
  }

  /** Forgets everything: what has begun is read again. */
  forget(): void {
    this.#sessions.clear();
    this.#waiting.clear();
  }

  /** A session as its earlier events left it. The spans that they ended were sent before. */
  async #read(session: SessionId, before: Position): Promise<SessionTrace> {
    const trace = new SessionTrace(session, this.#hasContent);
    let after = 0 as Position;
    for (;;) {
      const page = this.#journal.read(after, PAGE_MAX, session).filter(({ position }) => position < before);
      for (const { event } of page) trace.take(event);
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.position;
      await letOthers();
    }
    // A turn that had waited was sent, or is among the events that are read next.
    trace.flush();
    return trace;
  }
}
