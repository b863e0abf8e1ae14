import type { Step } from './event.ts';
import { runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { act, wait } from './steps.ts';

/** How long a process may take to exit after its last message. */
const LEAVE_MS = 10_000;

/** A process of one turn that is over and does not exit is ended. That is not a hang: its answer counts. */
export function nextStaying(s: Session, { isSaid, terminal }: Snapshot, nowMs: number): Step | null {
  if (isSaid !== true || terminal.is !== 'alive') return null;
  const dueMs = nowMs + LEAVE_MS - terminal.quietMs;
  return nowMs < dueMs ? wait(dueMs) : act({ kind: 'close', run: runOf(s) });
}

/** Its last message is not announced, so it is looked at now and then while it may still print. */
export function watched(step: Step, { isSaid }: Snapshot, nowMs: number): Step {
  if (step.do !== 'wait' || isSaid === undefined) return step;
  return wait(Math.min(step.untilMs ?? Number.POSITIVE_INFINITY, nowMs + LEAVE_MS));
}
