import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { actorOf } from '../owners/actors.ts';
import type { Parts } from '../serve/parts.ts';
import { viewOf } from '../views/view.ts';

/** Records that the caller no longer waits for a session. */
export function sessionBackground(
  { sessions, journal, config }: Parts,
  input: HandlerInput<'session.background'>,
): CallOutput<'session.background'> {
  const { session } = sessions.find(input.session);
  sessions.submit(session, { type: 'background', by: actorOf(journal, input, session) });
  return { session: viewOf(config.state, sessions.find(session.id)) };
}
