import type { Agent } from '../agent/seam/agent.ts';
import type { Prompt, Session } from '../core/session.ts';

// Some agents resume conversations that we cannot read. What we gave them is then all that is known.

/** Is there a conversation to resume, although it cannot be read? */
export function isTakenForStored({ conversation, prompts, turn }: Session, agent: Agent): boolean {
  if (agent.resumesUnread !== true || conversation.id === null || conversation.written === 'given-up') return false;
  return turn.last !== null || prompts.some(({ run, state }) => run > 0 && state !== 'queued');
}

/**
 * The prompts that its processes were given. In turns, each was on the standard input of a process that ran, so it is
 * continued, with its text, and not sent again. A message may have been lost with the process it was sent to.
 */
export function receivedUnread(session: Session, agent: Agent, sent: readonly Prompt[]): readonly Prompt[] {
  if (agent.resumesUnread !== true || agent.record !== undefined) return [];
  return sent.filter((p) => p.state === 'accepted' || (session.spec.drive === 'turns' && isOpened(session, p)));
}

function isOpened({ run }: Session, prompt: Prompt): boolean {
  return run !== null && (prompt.run < run.number || run.openedAtMs !== null);
}
