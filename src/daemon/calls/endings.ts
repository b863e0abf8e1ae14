import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import { runsOf } from '../../supervisor/runs.ts';
import { endRun, leftOf } from '../../terminal/end.ts';
import { type ProcessTable, systemTable } from '../../terminal/process-table.ts';
import { actorOf, namedActor } from '../owners/actors.ts';
import { callerSession, isBelow } from '../owners/owners.ts';
import { endedRows } from '../upkeep/ended-rows.ts';
import { viewOf } from '../views/view.ts';
import { waitForChange } from '../waits/wait-for-change.ts';
import type { Parts } from './parts.ts';
import { seen } from './reads.ts';

/** On top of the grace: the end by force, the proof that nothing is left, and a slow disk. */
const END_MS_MAX = 15_000;

/** Ends a session and everything it started. */
export async function stop(
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
  sessions.take(session, { type: 'stop', by, force, ...(graceMs !== undefined && { graceMs }) });
  if (input.wait) {
    await untilEnded(parts, session, (graceMs ?? session.spec.policy.graceMs) + END_MS_MAX, signal);
    // Whoever waited for it needs no news of it.
    if (!signal.aborted) seen(parts, { session: session.id, caller: input.caller });
  }
  return { session: viewOf(config.state, sessions.find(session.id)) };
}

const STOP = { by: 'remove', wait: true, leftovers: false } as const;

/** Removes a session; a live one only when it may be stopped first. */
export async function remove(
  parts: Parts,
  input: HandlerInput<'session.remove'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.remove'>> {
  const { sessions } = parts;
  const { session, live } = sessions.find(input.session);
  const { caller } = input;
  if (live && input.stop) await stop(parts, { ...STOP, session: session.id, force: input.force, caller }, signal);
  else if (!live) new Leftovers(parts.config.state).refuse(session);
  // An owner that removes it needs no news of its end: nothing of it could be read any more.
  seen(parts, { session: session.id, caller });
  const force = input.force || (live && input.stop);
  const how = { by: actorOf(parts.journal, { by: 'caller', caller }, session), force, discard: input.discard };
  const rescued = await sessions.remove(session.id, how, (position) => !parts.notices.delivered(position));
  return { id: session.id, ...(rescued !== null && { rescued }) };
}

/** Removes ended sessions older than an age, and says which it kept and why. A session removes what it started. */
export async function prune(parts: Parts, input: HandlerInput<'session.prune'>): Promise<CallOutput<'session.prune'>> {
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

/** A command that ends by itself may leave processes running: they are its own, and go on. */
class Leftovers {
  readonly #state: string;
  readonly #table: ProcessTable;

  /** As it is now; the same for many sessions. */
  constructor(state: string) {
    this.#state = state;
    const system = systemTable();
    const rows = system.rows();
    const markers = system.markers(rows.map(({ pid }) => pid));
    this.#table = { ...system, rows: () => rows, markers: () => markers };
  }

  count(session: Session): number {
    return runsOf(session).reduce((sum, ref) => sum + leftOf(this.#state, ref, this.#table).length, 0);
  }

  /** Without its folder nobody could find them any more. */
  refuse(session: Session): void {
    const count = this.count(session);
    if (count === 0) return;
    const name = nameOf(session);
    const what = count === 1 ? 'a process that it started still runs' : `${count} processes that it started still run`;
    throw new OutlastError('session_live', `${name} has ended, but ${what}: outlast stop --leftovers ${name}`);
  }
}

/** Ends what a session left running; gives how many processes that were. */
async function endLeftovers(
  { config, clock }: Parts,
  session: Session,
  graceMs: number,
  signal: AbortSignal,
): Promise<number> {
  const count = new Leftovers(config.state).count(session);
  if (count > 0) for (const ref of runsOf(session)) await endRun(config.state, ref, { graceMs, clock, signal });
  return count;
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
