import type { Journal } from '../../journal/journal.ts';

/** Sessions that are looked at to find ours; older ones have no part in what was just interrupted. */
const ROWS_MAX = 10_000;

/** Tells of a conversation which session of ours looks after it, in a sentence. */
export function oursIn(journal: Pick<Journal, 'list'>): (conversation: string) => string | null {
  let known: Map<string, string> | null = null;
  return (conversation) => {
    known ??= readOurs(journal);
    return known.get(conversation) ?? null;
  };
}

function readOurs(journal: Pick<Journal, 'list'>): Map<string, string> {
  const known = new Map<string, string>();
  for (const { session, live } of journal.list({ state: 'all', limit: ROWS_MAX })) {
    const name = session.spec.name ?? session.id;
    const why = live ? `session ${name} looks after it` : `it is session ${name}: outlast resume ${session.id}`;
    for (const id of [session.conversation, session.spec.conversation?.id]) {
      // The newest first: what is live is not hidden by what has ended.
      if (id != null && !known.has(id)) known.set(id, why);
    }
  }
  return known;
}
