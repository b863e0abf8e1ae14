import type { Step } from './event.ts';
import { runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { act, wait } from './steps.ts';

/** A process that has said its last word has this long to leave. */
const LEAVE_MS = 10_000;

/** A process of one turn that is over and does not leave is ended. That is no hang: what it said counts. */
export function nextStaying(s: Session, { isSaid, terminal }: Snapshot, nowMs: number): Step | null {
  if (isSaid !== true || terminal.is !== 'alive') return null;
  const dueMs = nowMs + LEAVE_MS - terminal.quietMs;
  return nowMs < dueMs ? wait(dueMs) : act({ kind: 'close', run: runOf(s) });
}

/** While it may still say something it is looked at now and then: nobody tells us of its last word. */
export function watched(step: Step, { isSaid }: Snapshot, nowMs: number): Step {
  if (step.do !== 'wait' || isSaid === undefined) return step;
  return wait(Math.min(step.untilMs ?? Number.POSITIVE_INFINITY, nowMs + LEAVE_MS));
}
