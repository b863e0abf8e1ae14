import type { EventBody } from './event.ts';
import type { Conversation, Session, Spec } from './session.ts';

/** A conversation that was started elsewhere is already on disk. */
export function writtenFirst({ conversation }: Spec): Conversation['written'] {
  return conversation?.mode === undefined ? 'no' : 'yes';
}

/**
 * What an event says about the transcript on disk. An agent may die before it has written anything: then nothing is
 * lost. What was counted, resumed or compacted from it had been written.
 */
export function writtenAfter(s: Session, body: EventBody): Conversation['written'] {
  switch (body.type) {
    case 'conversation.opened':
      if (body.source === 'resume' || body.source === 'found') return 'yes';
      return body.conversation === (s.conversation.id ?? s.spec.conversation?.id) ? s.conversation.written : 'no';
    case 'usage.counted':
      return (body.upTo ?? null) === (s.accounting.countedUpTo?.message ?? null) ? s.conversation.written : 'yes';
    case 'conversation.compacted':
      return 'yes';
    case 'session.resumed':
    case 'session.released':
      return body.startFresh === true ? 'given-up' : s.conversation.written;
    default:
      return s.conversation.written;
  }
}
