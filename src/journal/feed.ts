import { LIMITS } from '../base/limits.ts';
import type { SessionId } from '../core/session.ts';
import type { Entry, Journal, Position } from './journal.ts';

/** Yields the events after a position, then new ones as they come, until the signal fires. */
export async function* feed(
  journal: Journal,
  after: Position,
  signal: AbortSignal,
  session: SessionId | null = null,
): AsyncGenerator<Entry> {
  let position = after;
  let wake = (): void => {};
  const leave = journal.onAppend(() => wake());
  const abort = (): void => wake();
  signal.addEventListener('abort', abort, { once: true });
  try {
    while (!signal.aborted) {
      const entries = journal.read(position, LIMITS.feedEventsMax, session);
      for (const entry of entries) {
        if (signal.aborted) return;
        position = entry.position;
        yield entry;
      }
      if (entries.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    leave();
    signal.removeEventListener('abort', abort);
  }
}
