import type { Step } from './event.ts';
import { isOfHost } from './fold.ts';
import { HOST } from './fold-release.ts';
import { nextInUse } from './next-holder.ts';
import { nextMissing } from './next-missing.ts';
import { isTurnOver, nextTurnLeft, nextTurnOver } from './next-turn.ts';
import { HOST_RESUMES_MAX, HOST_RESUMES_WINDOW_MS } from './policy.ts';
import { type Fault, type Phase, runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { act, append, beginning, wait } from './steps.ts';

/** What follows a fault: the next run, a pause before it, or the end. */
export function nextRecovering(
  s: Session,
  phase: Extract<Phase, { at: 'recovering' }>,
  snapshot: Snapshot,
  nowMs: number,
): Step {
  // The old process tree is proven dead before a new one is started: two agents in one folder undo each other's work.
  if (snapshot.terminal.is === 'alive' || snapshot.strayProcesses > 0) return act({ kind: 'close', run: phase.run });
  if (s.spec.drive === 'turns' && isTurnOver(s, snapshot)) return nextTurnOver(s, snapshot, nowMs);
  const givenUp = nextGivenUp(s, phase.fault, snapshot, nowMs);
  if (givenUp) return givenUp;
  if (nowMs < phase.retryAtMs) return wait(phase.retryAtMs);
  const left = nextTurnLeft(s, snapshot) ?? nextMissing(s, snapshot) ?? nextInUse(s, snapshot);
  if (left) return left;
  return snapshot.slot ? append(...beginning(s, snapshot)) : wait(null);
}

/** A command may have done its work, so it is never restarted. An agent is, within its limits. */
function nextGivenUp(s: Session, fault: Fault, snapshot: Snapshot, nowMs: number): Step | null {
  const { resumesMax, resumesWindowMax = resumesMax, resumesWindowMs = 0 } = s.spec.policy;
  const abandoned = (why?: string): Step =>
    append({ type: 'session.closing', outcome: { kind: 'abandoned', fault, ...(why === undefined ? {} : { why }) } });
  if (s.spec.drive === 'command') return abandoned();
  if (isOfHost(fault)) return null;
  const { resumes, resumedAtMs } = s.recovery;
  const { manualResume } = s.accounting;
  const wordMs = manualResume?.atMs ?? Number.NEGATIVE_INFINITY;
  if (resumes - (manualResume?.resumes ?? 0) >= resumesMax) return abandoned(`it was resumed ${timesText(resumes)}`);
  const lately = resumedAtMs.filter((atMs) => nowMs - atMs < resumesWindowMs && atMs > wordMs).length;
  if (lately >= resumesWindowMax) return abandoned(`it was resumed ${timesText(lately)} within a short time`);
  // A person has looked at it and resumed it.
  const isWanted = nowMs - wordMs < HOST_RESUMES_WINDOW_MS;
  if (snapshot.hostResumes < HOST_RESUMES_MAX || isWanted) return null;
  const text = 'too many sessions on this host are failing at once; find out why, then: outlast resume';
  return append({ type: 'session.held', run: runOf(s), why: { kind: HOST, text, needsResume: true } });
}

function timesText(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
