import type { Event } from '../../core/event.ts';
import { openQuestionsOf } from '../../core/postponed.ts';
import type { Outcome, Session } from '../../core/session.ts';
import { isWorthNotice } from './worth.ts';

/**
 * Whether a person who left a session wants to be told of this event: its reply, its end, a question, a hold. Not of
 * what they ended themselves, of replies within a session that ends with its reply, and of what an agent started:
 * that agent is told.
 */
export function isAnnounced({ body }: Event, session: Session): boolean {
  switch (body.type) {
    case 'approval.asked':
      return openQuestionsOf(session).some(({ id }) => id === body.approval);
    case 'session.held':
    case 'prompt.unsure':
      return true;
    case 'prompt.answered':
    case 'prompt.failed':
      return isLeft(session) && session.keepOpen;
    case 'session.ended':
      return isLeft(session) && !isOwnDoing(body.outcome) && isWorthNotice(body.outcome, session);
    default:
      return false;
  }
}

/** No person waits for it, and no agent owns it. */
function isLeft({ background, owner, spec }: Session): boolean {
  return background && owner === null && spec.notify !== 'never';
}

function isOwnDoing(outcome: Outcome): boolean {
  return outcome.kind === 'stopped' && outcome.by.is !== 'policy' && outcome.by.is !== 'host';
}
