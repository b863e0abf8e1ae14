import { nameOf } from '../../core/name.ts';
import type { Journal } from '../../journal/journal.ts';
import { systemTable } from '../../terminal/process-table.ts';

/** How many sessions are checked; older ones cannot belong to a recent interruption. */
const ROWS_MAX = 10_000;

/** An agent may record its own end after we have recorded it. */
const LATE_MS_MAX = 60_000;

/** A sentence about the session of ours that owns a conversation, by the time of its last activity; null: none. */
export type Ours = (conversation: string, atMs: number) => string | null;

interface Known {
  readonly why: string;
  readonly endedAtMs: number | null;
}

/** Finds our conversations in the journal. One that someone continued after our session had ended is not ours. */
export function oursIn(journal: Pick<Journal, 'list'>): Ours {
  let known: Map<string, Known> | null = null;
  return (conversation, atMs) => {
    known ??= readOurs(journal);
    const { why, endedAtMs = null } = known.get(conversation) ?? { why: null };
    return endedAtMs !== null && atMs > endedAtMs + LATE_MS_MAX ? null : why;
  };
}

/**
 * Tells which processes are the agent of a live session of ours. One that a person visits is left out: on its own
 * screen the agent can open any conversation.
 */
export function ourAgentsIn(
  journal: Pick<Journal, 'list'>,
  markerOf: (pid: number) => string | undefined = (pid) => systemTable().markers([pid]).get(pid),
): (pid: number) => boolean {
  let agents: Map<number, string> | null = null;
  return (pid) => {
    agents ??= readAgents(journal);
    const session = agents.get(pid);
    // A pid may have been given to another process since.
    return session !== undefined && markerOf(pid)?.startsWith(`${session}.`) === true;
  };
}

function readAgents(journal: Pick<Journal, 'list'>): Map<number, string> {
  const live = journal.list({ state: 'live', limit: Number.MAX_SAFE_INTEGER }).map(({ session }) => session);
  const running = live.filter(({ spec, phase }) => spec.conversation !== undefined && phase.at !== 'visited');
  return new Map(running.flatMap(({ id, run }) => (run?.pid == null || run.exit !== null ? [] : [[run.pid, id]])));
}

function readOurs(journal: Pick<Journal, 'list'>): Map<string, Known> {
  const known = new Map<string, Known>();
  const live = journal.list({ state: 'live', limit: Number.MAX_SAFE_INTEGER });
  // Newest first, and a live session is not hidden by an ended one.
  for (const row of [...live, ...journal.list({ state: 'ended', limit: ROWS_MAX })]) {
    const { session } = row;
    const name = nameOf(session);
    const why = row.live ? `session ${name} handles it` : `it is session ${name}: outlast resume ${session.id}`;
    const earlier = session.conversation.earlier?.map(({ id }) => id) ?? [];
    for (const id of [session.conversation.id, session.spec.conversation?.id, ...earlier]) {
      if (id != null && !known.has(id)) known.set(id, { why, endedAtMs: row.live ? null : row.endedAtMs });
    }
  }
  return known;
}
