import type { Session } from '../../core/session.ts';

/** What the indexer has to know about a session of an agent. */
export interface SessionFacts {
  readonly id: string;
  readonly workspace: string;
  /** Its conversations, the current one last. */
  readonly conversations: readonly ConversationFacts[];
  readonly atMs: number;
  /** It was removed; what its agents recorded up to this time is left out. */
  readonly removedMs?: number;
}

/** One conversation of a session. */
export interface ConversationFacts {
  readonly agent: string;
  readonly id: string | null;
  /** Where the agent reported that it stores it. */
  readonly reported: string | null;
}

/** An agent may record its own end after we have recorded it. */
const LATE_MS_MAX = 60_000;

/** The facts about a session; null: it is a command. */
export function factsOf(session: Session, endedAtMs: number | null): SessionFacts | null {
  const { id, spec, conversation, created, removed } = session;
  if (spec.drive === 'command') return null;
  const earlier = (conversation.earlier ?? []).map(({ agent, id, transcript }) => ({
    agent,
    id,
    reported: transcript,
  }));
  const now = {
    agent: spec.agent,
    id: conversation.id ?? spec.conversation?.id ?? null,
    reported: conversation.transcript,
  };
  const facts = { id, workspace: spec.workspace, conversations: [...earlier, now], atMs: created.wallMs };
  return removed ? { ...facts, removedMs: (endedAtMs ?? created.wallMs) + LATE_MS_MAX } : facts;
}
