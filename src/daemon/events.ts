import type { CallOutput, HandlerInput } from '../api/contract.ts';
import { feed } from '../journal/feed.ts';
import type { Entry, Position } from '../journal/journal.ts';
import type { Parts } from './parts.ts';
import { eventView } from './view.ts';

/** The journal from a position on: what was, and, when followed, what comes. */
export async function* events(
  { journal, sessions }: Parts,
  input: HandlerInput<'session.events'>,
  signal: AbortSignal,
): AsyncGenerator<CallOutput<'session.events'>> {
  const wanted = input.session === undefined ? null : sessions.find(input.session).session.id;
  const head = journal.head();
  let left = input.limit ?? Number.POSITIVE_INFINITY;
  if (left === 0 || (!input.follow && head <= input.after)) return;
  for await (const entry of feed(journal, input.after as Position, signal)) {
    if (wanted === null || entry.event.session === wanted) {
      yield eventView(entry);
      left -= 1;
    }
    if (left <= 0 || isLast(entry, head, input.follow)) return;
  }
}

function isLast(entry: Entry, head: Position, follow: boolean): boolean {
  return !follow && entry.position >= head;
}
