import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { namedActor } from '../owners/actors.ts';
import { callerSession, isBelow } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';
import { endedRows } from '../upkeep/ended-rows.ts';
import { Leftovers } from '../upkeep/leftovers.ts';

/** Removes ended sessions older than an age, and lists those it kept and why. A session removes only its own. */
export async function sessionPrune(
  parts: Parts,
  input: HandlerInput<'session.prune'>,
): Promise<CallOutput<'session.prune'>> {
  const { journal, clock, sessions, notices } = parts;
  const removed: string[] = [];
  const kept: { id: string; why: string }[] = [];
  const me = callerSession(journal, input.caller);
  const leftovers = new Leftovers(parts.config.state);
  for (const { session, endedAtMs } of endedRows(journal)) {
    if (me !== null && !isBelow(journal, session, me)) continue;
    if (clock.wallMs() - (endedAtMs ?? clock.wallMs()) < input.olderThanMs) continue;
    try {
      leftovers.refuse(session);
      await sessions.remove(
        session.id,
        { by: namedActor('prune'), force: input.force },
        (position) => !notices.delivered(position),
      );
      removed.push(session.id);
    } catch (error) {
      if (!(error instanceof OutlastError)) throw error;
      kept.push({ id: session.id, why: error.message });
    }
  }
  return { removed, kept };
}
