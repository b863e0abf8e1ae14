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

/** Records that a reader has read the end of a session, or an answer. It counts only for its owner. */
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
  // The update itself has this id. If it is not submitted yet, this takes its place; otherwise it is withdrawn.
  const update = inputId('wake', upTo);
  if (journal.taken(update) === null) sessions.submit(me, read, update);
  else if (length > 0) sessions.submit(me, read);
  return { count: length };
}

/** The position of a session's end; null: it has not ended. */
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
