import { nameOf } from '../../core/name.ts';
import type { Journal } from '../../journal/journal.ts';

/** Sessions that are looked at to find ours; older ones have no part in what was just interrupted. */
const ROWS_MAX = 10_000;

/** An agent may write down its own end after we have written down that it ended. */
const LATE_MS_MAX = 60_000;

/** Tells which session of ours looks after a conversation that was last written to then, in a sentence. */
export type Ours = (conversation: string, atMs: number) => string | null;

interface Known {
  readonly why: string;
  readonly endedAtMs: number | null;
}

/** What is ours by the journal. What somebody went on with after our session had ended is theirs again. */
export function oursIn(journal: Pick<Journal, 'list'>): Ours {
  let known: Map<string, Known> | null = null;
  return (conversation, atMs) => {
    known ??= readOurs(journal);
    const { why, endedAtMs = null } = known.get(conversation) ?? { why: null };
    return endedAtMs !== null && atMs > endedAtMs + LATE_MS_MAX ? null : why;
  };
}

function readOurs(journal: Pick<Journal, 'list'>): Map<string, Known> {
  const known = new Map<string, Known>();
  const live = journal.list({ state: 'live', limit: Number.MAX_SAFE_INTEGER });
  // Each newest first, and what is live is not hidden by what has ended.
  for (const row of [...live, ...journal.list({ state: 'ended', limit: ROWS_MAX })]) {
    const { session } = row;
    const name = nameOf(session);
    const why = row.live ? `session ${name} looks after it` : `it is session ${name}: outlast resume ${session.id}`;
    for (const id of [session.conversation.id, session.spec.conversation?.id]) {
      if (id != null && !known.has(id)) known.set(id, { why, endedAtMs: row.live ? null : row.endedAtMs });
    }
  }
  return known;
}
