import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { acknowledge } from '../owners/acknowledge.ts';
import { actorOf } from '../owners/actors.ts';
import type { Parts } from '../serve/parts.ts';
import { Leftovers } from '../upkeep/leftovers.ts';
import { sessionStop } from './session-stop.ts';

const STOP = { by: 'remove', wait: true, leftovers: false } as const;

/** Removes a session; a live one only if it may be stopped first. */
export async function sessionRemove(
  parts: Parts,
  input: HandlerInput<'session.remove'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.remove'>> {
  const { sessions } = parts;
  const { session, live } = sessions.find(input.session);
  const { caller } = input;
  if (live && input.stop)
    await sessionStop(parts, { ...STOP, session: session.id, force: input.force, caller }, signal);
  else if (!live) new Leftovers(parts.config.state).refuse(session);
  // An owner that removes it needs no update about its end: nothing of it could be read any more.
  acknowledge(parts, { session: session.id, caller });
  const force = input.force || (live && input.stop);
  const how = { by: actorOf(parts.journal, { by: 'caller', caller }, session), force, discard: input.discard };
  const rescued = await sessions.remove(session.id, how, (position) => !parts.notices.delivered(position));
  return { id: session.id, ...(rescued !== null && { rescued }) };
}
