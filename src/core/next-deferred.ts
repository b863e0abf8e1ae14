import { isDeferred, isUnderWay } from './deferred.ts';
import type { EventBody, Step } from './event.ts';
import { type Approval, runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { append, ended, exited, faulted, lost, wait } from './steps.ts';

/** How long a question keeps a process waiting by default. */
const DEFER_MS = 60_000;

/** When the agent is told to defer its call and to end its run; null: it keeps waiting. */
export function deferDueMs(s: Session): number | null {
  const [only, another] = s.gate.approvals;
  const { approvalMsMax, deferMs = DEFER_MS } = s.spec.policy;
  const isForEver = s.spec.conversation?.gate?.mode === 'gate' && approvalMsMax === null;
  if (!isForEver || s.spec.drive !== 'turns' || s.run?.how === 'visit' || s.phase.at !== 'blocked') return null;
  if (only === undefined || another !== undefined || isTold(s, only)) return null;
  // What comes before a prompt that was not received yet is not its turn.
  if (s.prompts.some((p) => p.run === runOf(s) && p.state !== 'accepted')) return null;
  // Only the agent's own call can be deferred, and other work in progress would end with the run.
  const isAlone =
    only.subagent === null && s.turn.subagents.length === 0 && s.turn.calls.every(({ id }) => id === only.call);
  return isAlone && only.call !== null && s.turn.interrupting === null ? only.askedAtMs + deferMs : null;
}

function isTold({ gate: { deferred } }: Session, { id }: Approval): boolean {
  return deferred?.approval === id && deferred.is !== 'asked';
}

/** No answer came in the time that a process waits for one. */
export function nextDeferral(s: Session, nowMs: number): Step | null {
  const [only] = s.gate.approvals;
  const dueMs = deferDueMs(s);
  if (only === undefined || dueMs === null || nowMs < dueMs) return null;
  return append({ type: 'approval.deferred', approval: only.id, run: runOf(s) });
}

/** The run ended in the middle of its turn, as it was told to. */
export function nextPutOff(s: Session, snapshot: Snapshot): Step | null {
  const { deferred } = s.gate;
  const isDone = deferred?.is === 'told' && deferred.run === runOf(s) && snapshot.transcript.turn === 'deferred';
  if (!isDone || s.turn.interrupting !== null) return null;
  return append({ type: 'turn.deferred', run: runOf(s), approval: deferred.approval }, ended(s, snapshot));
}

/** A deferred turn waits without a process; null: there is none, or it has to continue. */
export function nextParked(s: Session): Step | null {
  if (!isDeferred(s)) return null;
  const { interrupting } = s.turn;
  if (interrupting !== null) {
    const ours = s.prompts.filter(isUnderWay);
    return append(
      ...ours.map(({ id: prompt }) => ({ type: 'prompt.interrupted', prompt, by: interrupting.by }) as const),
    );
  }
  return s.gate.approvals.length > 0 || s.attendance.control !== null ? wait(null) : null;
}

/**
 * A run that had to ask again ended before it did. If the agent ended it, it has forgotten the call: it is told to
 * continue and asks again.
 */
export function nextUnasked(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  const {
    gate: { deferred },
    run,
  } = s;
  const { terminal } = snapshot;
  if (deferred?.is !== 'waiting' || run === null || !run.silent || s.turn.interrupting !== null) return null;
  const isByItself = terminal.is === 'dead' && terminal.signal === undefined;
  const missed: EventBody = { type: 'approval.missed', approval: deferred.approval, run: run.number };
  const step = faulted(s, terminal.is === 'dead' ? exited(s, snapshot, terminal) : lost(s, snapshot), nowMs);
  return isByItself && step.do === 'append' ? append(missed, ...step.events) : step;
}
