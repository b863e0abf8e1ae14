import type { CallOutput, HandlerInput } from '../api/contract.ts';
import { OutlastError } from '../base/errors.ts';
import type { Session } from '../core/session.ts';
import { endedRows } from './ended-rows.ts';
import { news } from './news.ts';
import { callerSession, isBelow, OWNER } from './owners.ts';
import type { Parts } from './parts.ts';
import { seen } from './reads.ts';
import { viewOf } from './view.ts';

/** On top of the grace: the end by force, the proof that nothing is left, and a slow disk. */
const END_MS_MAX = 15_000;

/** Ends a session and everything it started. */
export async function stop(
  parts: Parts,
  input: HandlerInput<'session.stop'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.stop'>> {
  const { sessions, config, journal } = parts;
  const { session } = sessions.find(input.session);
  const { graceMs, force } = input;
  const me = callerSession(journal, input.caller);
  const by = me === null || me.id === session.id ? input.by : OWNER;
  sessions.take(session, { type: 'stop', by, force, ...(graceMs !== undefined && { graceMs }) });
  if (input.wait) {
    await untilEnded(parts, session, (graceMs ?? session.spec.policy.graceMs) + END_MS_MAX, signal);
    // Whoever waited for it needs no news of it.
    if (!signal.aborted) seen(parts, { session: session.id, caller: input.caller });
  }
  return { session: viewOf(config.state, sessions.find(session.id)) };
}

/** Removes a session; a live one only when it may be stopped first. */
export async function remove(
  parts: Parts,
  input: HandlerInput<'session.remove'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.remove'>> {
  const { sessions } = parts;
  const { session, live } = sessions.find(input.session);
  const { caller } = input;
  if (live && input.stop)
    await stop(parts, { session: session.id, by: 'remove', wait: true, force: input.force, caller }, signal);
  // An owner that removes it needs no news of its end: nothing of it could be read any more.
  seen(parts, { session: session.id, caller });
  const force = input.force || (live && input.stop);
  const how = { by: 'caller', force, discard: input.discard };
  const rescued = await sessions.remove(session.id, how, (position) => !parts.notices.delivered(position));
  return { id: session.id, ...(rescued !== null && { rescued }) };
}

/** Removes ended sessions older than an age, and says which it kept and why. A session removes what it started. */
export async function prune(parts: Parts, input: HandlerInput<'session.prune'>): Promise<CallOutput<'session.prune'>> {
  const { journal, clock, sessions, notices } = parts;
  const removed: string[] = [];
  const kept: { id: string; why: string }[] = [];
  const me = callerSession(journal, input.caller);
  for (const { session, endedAtMs } of endedRows(journal)) {
    if (me !== null && !isBelow(journal, session, me)) continue;
    if (clock.wallMs() - (endedAtMs ?? clock.wallMs()) < input.olderThanMs) continue;
    try {
      await sessions.remove(
        session.id,
        { by: 'prune', force: input.force },
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

async function untilEnded(parts: Parts, { id }: Session, msMax: number, signal: AbortSignal): Promise<void> {
  const { clock, sessions } = parts;
  const deadlineMs = clock.steadyMs() + msMax;
  const hasEnded = (): boolean => !sessions.find(id).live;
  while (!hasEnded()) {
    if (signal.aborted) return;
    if (clock.steadyMs() >= deadlineMs) throw new OutlastError('timed_out', `${id} has not ended after ${msMax} ms`);
    await news(parts, { session: id, files: [] }, hasEnded, signal, deadlineMs - clock.steadyMs());
  }
}
