import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { byHost } from '../../core/actor.ts';
import type { Parts } from '../serve/parts.ts';
import { reply } from '../waits/replies.ts';

/** Waits for a reply. If the caller disappears while it waits for the result, the end must be announced. */
export async function sessionReply(
  parts: Parts,
  input: HandlerInput<'session.reply'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.reply'>> {
  const { callers } = parts.sessions;
  if (input.owner) callers.came(parts.sessions.find(input.session).session.id);
  const replied = await reply(parts, input, signal);
  const { session } = parts.sessions.find(input.session);
  if (replied.met !== 'nothing' && !signal.aborted)
    // The end of a session that ends with its reply is no news to who has the reply.
    parts.notices.read(session.id, session.keepOpen ? replied.position : Number.POSITIVE_INFINITY);
  if (input.owner && signal.aborted && session.phase.at !== 'ended') {
    parts.sessions.submit(session, { type: 'background', by: byHost('caller-left') });
  }
  return replied;
}
