import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Session } from '../../core/session.ts';
import { acknowledge } from '../owners/acknowledge.ts';
import { actorOf } from '../owners/actors.ts';
import type { Parts } from '../serve/parts.ts';
import { endLeftovers } from '../upkeep/leftovers.ts';
import { viewOf } from '../views/view.ts';
import { waitForChange } from '../waits/wait-for-change.ts';

/** Time in addition to the grace period: for SIGKILL, the proof that no process is left, and a slow disk. */
const END_MS_MAX = 15_000;

/** Ends a session and everything it started. */
export async function sessionStop(
  parts: Parts,
  input: HandlerInput<'session.stop'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.stop'>> {
  const { sessions, config, journal } = parts;
  const { session, live } = sessions.find(input.session);
  const { graceMs, force } = input;
  if (input.leftovers && !live) {
    const leftovers = await endLeftovers(parts, session, graceMs ?? session.spec.policy.graceMs, signal);
    return { session: viewOf(config.state, sessions.find(session.id)), leftovers };
  }
  const by = actorOf(journal, input, session);
  sessions.submit(session, { type: 'stop', by, force, ...(graceMs !== undefined && { graceMs }) });
  if (input.wait) {
    await untilEnded(parts, session, (graceMs ?? session.spec.policy.graceMs) + END_MS_MAX, signal);
    // A caller that waited for the end needs no update about it.
    if (!signal.aborted) acknowledge(parts, { session: session.id, caller: input.caller });
  }
  return { session: viewOf(config.state, sessions.find(session.id)) };
}

async function untilEnded(parts: Parts, { id }: Session, msMax: number, signal: AbortSignal): Promise<void> {
  const { clock, sessions } = parts;
  const deadlineMs = clock.steadyMs() + msMax;
  const hasEnded = (): boolean => !sessions.find(id).live;
  while (!hasEnded()) {
    if (signal.aborted) return;
    if (clock.steadyMs() >= deadlineMs) throw new OutlastError('timed_out', `${id} has not ended after ${msMax} ms`);
    await waitForChange(parts, { session: id, files: [] }, hasEnded, signal, deadlineMs - clock.steadyMs());
  }
}
