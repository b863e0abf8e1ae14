import { letOthers } from '../../base/others.ts';
import { fold } from '../../core/fold.ts';
import type { SessionId } from '../../core/session.ts';
import type { Journal, Position } from '../../journal/journal.ts';
import { factsOf, type SessionFacts } from './facts.ts';
import type { PassOrder } from './pass.ts';

type Read = Pick<Journal, 'id' | 'head' | 'read' | 'list' | 'find' | 'session'>;

const PAGE = 500;
/** Beyond this it is less work to look at all sessions. */
const EVENTS_MAX = 20_000;

/** What the indexer has to know about sessions, if it knows them up to this place in the journal. */
export async function orderAfter(journal: Read, upTo: string | null, nowMs: number): Promise<PassOrder> {
  const head = journal.head();
  const now = `${journal.id}-${head}`;
  const [id, position] = upTo?.split('-') ?? [];
  const from = Number(position);
  if (id !== journal.id || !(from <= head) || head - from > EVENTS_MAX) {
    const rows = journal.list({ state: 'every', limit: Number.MAX_SAFE_INTEGER });
    const sessions = rows.flatMap(({ session, endedAtMs }) => factsOf(session, endedAtMs) ?? []);
    return { sessions, isAll: true, upTo: now };
  }
  const changed = await changedSince(journal, from, head);
  return { sessions: [...changed].flatMap((each) => factsAbout(journal, each, nowMs) ?? []), isAll: false, upTo: now };
}

async function changedSince(journal: Read, from: number, head: number): Promise<ReadonlySet<SessionId>> {
  const changed = new Set<SessionId>();
  for (let at = from; at < head; ) {
    const page = journal.read(at as Position, PAGE);
    for (const { event } of page) changed.add(event.session);
    const last = page.at(-1)?.position;
    if (last === undefined) break;
    at = last;
    await letOthers();
  }
  return changed;
}

/** A session that was removed is no longer found by its id, but its events are still there. */
function factsAbout(journal: Read, id: SessionId, nowMs: number): SessionFacts | null {
  const row = journal.find(id);
  if (row !== null) return factsOf(row.session, row.endedAtMs);
  const session = fold(journal.session(id).events);
  return session === null ? null : factsOf(session, nowMs);
}
