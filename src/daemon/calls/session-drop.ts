import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { PromptId } from '../../core/session.ts';
import { actorOf } from '../owners/actors.ts';
import type { Parts } from '../serve/parts.ts';
import { viewOf } from '../views/view.ts';

/** Drops a prompt that was not sent, or that is unsure. */
export function sessionDrop(parts: Parts, input: HandlerInput<'session.drop'>): CallOutput<'session.drop'> {
  const { session } = parts.sessions.find(input.session);
  parts.sessions.submit(session, {
    type: 'drop',
    prompt: input.prompt as PromptId,
    by: actorOf(parts.journal, input, session),
  });
  return { session: viewOf(parts.config.state, parts.sessions.find(session.id)) };
}
