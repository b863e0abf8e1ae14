import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { actorOf } from '../owners/actors.ts';
import { refuseCommand } from '../owners/refusals.ts';
import type { Parts } from '../serve/parts.ts';
import { viewOf } from '../views/view.ts';

/** Gives control to a person, or takes it back. */
export function sessionHandoff(parts: Parts, input: HandlerInput<'session.handoff'>): CallOutput<'session.handoff'> {
  const { session } = parts.sessions.find(input.session);
  refuseCommand(session);
  parts.sessions.submit(session, {
    type: input.back ? 'hand-back' : 'hand-off',
    by: actorOf(parts.journal, input, session),
  });
  return { session: viewOf(parts.config.state, parts.sessions.find(session.id)) };
}
