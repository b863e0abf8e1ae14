import { nameOf } from '../../core/name.ts';
import type { Session, SessionId } from '../../core/session.ts';
import type { AfterSnapshot } from '../../core/snapshot.ts';
import type { Journal } from '../../journal/journal.ts';

/** The state of the sessions that this one waits for, and its prompts with their replies filled in. */
export function afterSnapshot(journal: Pick<Journal, 'find'>, session: Session): AfterSnapshot {
  const ids = session.spec.conversation?.after ?? [];
  const replies = new Map<SessionId, string>();
  for (const id of ids) {
    const row = journal.find(id);
    if (row === null) return { is: 'failed', why: `the session ${id} it should follow is gone` };
    const {
      turn: { last },
      prompts,
    } = row.session;
    const name = nameOf(row.session);
    if (row.live && prompts.length > 0) return { is: 'waiting' };
    if (last?.how === 'answered') replies.set(id, last.reply);
    else if (!row.live || last !== null) return { is: 'failed', why: `${name}, which it should follow, ${howOf(row)}` };
    else return { is: 'waiting' };
  }
  const filled = (text: string): string =>
    text.replaceAll(/\{\{([^\s{}.]+)\.reply\}\}/g, (all, id: string) => replies.get(id as SessionId) ?? all);
  return { is: 'met', texts: session.prompts.map(({ id, text }) => ({ prompt: id, text: filled(text) })) };
}

function howOf({
  session: {
    turn: { last },
  },
}: {
  readonly session: Session;
}): string {
  return last === null
    ? 'ended without an answer'
    : last.how === 'failed'
      ? `failed: ${last.reply}`
      : 'was interrupted';
}
