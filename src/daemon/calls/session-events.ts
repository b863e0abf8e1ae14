import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { LIMITS } from '../../base/limits.ts';
import { letOthers } from '../../base/others.ts';
import type { SessionId } from '../../core/session.ts';
import { feed } from '../../journal/feed.ts';
import type { Entry, Journal, Position } from '../../journal/journal.ts';
import { positionOf } from '../journal/cursor.ts';
import { storyText } from '../report/lines.ts';
import type { Parts } from '../serve/parts.ts';
import { eventView } from '../views/view.ts';
import { checkTypes, isOfType } from '../waits/event-types.ts';

interface Which {
  readonly session: SessionId | null;
  readonly isWanted: (entry: Entry) => boolean;
}

/** The events after a position, or the last ones, and, when followed, new ones. */
export async function* sessionEvents(
  { journal, sessions }: Pick<Parts, 'journal'> & { readonly sessions: Pick<Parts['sessions'], 'find'> },
  input: HandlerInput<'session.events'>,
  signal: AbortSignal,
): AsyncGenerator<CallOutput<'session.events'>> {
  const session = input.session === undefined ? null : sessions.find(input.session).session.id;
  const { types } = input;
  checkTypes(types ?? [], 'types');
  const isWanted = ({ event }: Entry): boolean => types?.some((type) => isOfType(event.body.type, type)) ?? true;
  let rest = input.limit ?? Number.POSITIVE_INFINITY;
  if (rest <= 0) return;
  for await (const entry of entriesOf(journal, { session, isWanted }, input, signal)) {
    if (signal.aborted) return;
    if (!isWanted(entry)) continue;
    yield { ...eventView(journal, entry), ...(input.words === true && wordsOf(entry)) };
    rest -= 1;
    if (rest <= 0) return;
  }
}

/** What happened, in words. */
function wordsOf({ event }: Entry): { text?: string } {
  const text = storyText(event);
  return text === null ? {} : { text };
}

async function* entriesOf(
  journal: Journal,
  which: Which,
  { follow, last, ...input }: HandlerInput<'session.events'>,
  signal: AbortSignal,
): AsyncGenerator<Entry> {
  const after = positionOf(journal, input.after);
  const head = journal.head();
  if (last !== undefined) yield* await lastOf(journal, which, { after, until: head, last });
  else if (!follow) yield* past(journal, which.session, after, head);
  if (follow) yield* feed(journal, last === undefined ? after : atLeast(after, head), signal, which.session);
}

/** A caller that asks for events after a future position gets nothing before it. */
function atLeast(after: Position, head: Position): Position {
  return after > head ? after : head;
}

/** The last matching events. It looks back in growing steps: most of a long journal is not read at all. */
async function lastOf(
  journal: Journal,
  { session, isWanted }: Which,
  { after, until, last }: { readonly after: Position; readonly until: Position; readonly last: number },
): Promise<readonly Entry[]> {
  for (let span = Math.max(last, LIMITS.feedEventsMax); ; span *= 4) {
    const from = Math.max(after, until - span) as Position;
    let found: Entry[] = [];
    for await (const entry of past(journal, session, from, until)) {
      if (isWanted(entry)) found.push(entry);
      if (found.length >= 2 * last + LIMITS.feedEventsMax) found = found.slice(-last);
    }
    if (found.length >= last || from === after || until <= after) return last === 0 ? [] : found.slice(-last);
  }
}

/** The existing events. It yields between pages: a long journal must not block other calls. */
async function* past(
  journal: Journal,
  session: SessionId | null,
  after: Position,
  until: Position,
): AsyncGenerator<Entry> {
  for (let position = after; position < until; ) {
    const entries = journal.read(position, LIMITS.feedEventsMax, session);
    const last = entries.at(-1);
    if (last === undefined) return;
    yield* entries.filter((entry) => entry.position <= until);
    position = last.position;
    await letOthers();
  }
}
