import type { CallOutput, HandlerInput } from '../api/contract.ts';
import { LIMITS } from '../base/limits.ts';
import type { SessionId } from '../core/session.ts';
import { feed } from '../journal/feed.ts';
import type { Entry, Journal, Position } from '../journal/journal.ts';
import type { Parts } from './parts.ts';
import { eventView } from './view.ts';

/** The journal from a position on: what was, and, when followed, what comes. */
export async function* events(
  { journal, sessions }: Parts,
  input: HandlerInput<'session.events'>,
  signal: AbortSignal,
): AsyncGenerator<CallOutput<'session.events'>> {
  const session = input.session === undefined ? null : sessions.find(input.session).session.id;
  const after = input.after as Position;
  const entries = input.follow ? feed(journal, after, signal, session) : past(journal, after, session);
  let left = input.limit ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  for await (const entry of entries) {
    if (signal.aborted) return;
    yield eventView(entry);
    left -= 1;
    if (left <= 0) return;
  }
}

/** What there is now. It gives way between pages: a long journal must not keep others waiting. */
async function* past(journal: Journal, after: Position, session: SessionId | null): AsyncGenerator<Entry> {
  for (let position = after; ; ) {
    const entries = journal.read(position, LIMITS.feedEventsMax, session);
    const last = entries.at(-1);
    if (last === undefined) return;
    yield* entries;
    position = last.position;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
