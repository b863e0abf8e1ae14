import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { LIMITS } from '../../base/limits.ts';
import { inputId } from '../../core/cause.ts';
import type { Input, InputId } from '../../core/event.ts';
import { readOf } from '../../core/ownership.ts';
import type { Session } from '../../core/session.ts';
import type { Journal, Position, Row } from '../../journal/journal.ts';
import { positionOf } from '../journal/cursor.ts';
import { callerSession } from './owners.ts';

interface AcknowledgeParts {
  readonly journal: Journal;
  readonly sessions: {
    find(word: string): Row;
    submit(session: Session, input: Input, cause?: InputId): unknown;
  };
}

/** Takes the word of a reader that it has read the end of a session, or an answer. Only its owner's counts. */
export function acknowledge(
  parts: AcknowledgeParts,
  input: HandlerInput<'session.acknowledge'>,
): CallOutput<'session.acknowledge'> {
  const { journal, sessions } = parts;
  const row = sessions.find(input.session);
  const { id, owner } = row.session;
  const me = callerSession(journal, input.caller);
  const upTo = input.position === undefined ? endOf(journal, row) : positionOf(journal, input.position);
  if (me === null || owner?.session !== me.id || upTo === null) return { count: 0 };
  const read = { type: 'read', from: id, upTo } as const;
  const { length } = readOf(me.updates, read);
  // The news themselves come under this name. Before they do, they are taken for told; else they are taken back.
  const news = inputId('wake', upTo);
  if (journal.taken(news) === null) sessions.submit(me, read, news);
  else if (length > 0) sessions.submit(me, read);
  return { count: length };
}

/** Where the end of a session is in the journal; null: it has not ended. */
function endOf(journal: Pick<Journal, 'read'>, { session, live, position }: Row): number | null {
  if (live) return null;
  const last = journal.read((position - 1) as Position, 1, session.id);
  if (last[0]?.event.body.type === 'session.ended') return position;
  let end: number | null = null;
  for (let from = 0 as Position; ; ) {
    const page = journal.read(from, LIMITS.feedEventsMax, session.id);
    end = page.findLast(({ event }) => event.body.type === 'session.ended')?.position ?? end;
    const next = page.at(-1)?.position;
    if (next === undefined) return end;
    from = next;
  }
}
