import type { Step } from './event.ts';
import { nextInUse } from './next-holder.ts';
import { nextMissing } from './next-missing.ts';
import { nextUpdatePrompt } from './next-update.ts';
import { type Phase, runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { act, append, DRAIN_LOOK_MS, draining, ended, starting, wait } from './steps.ts';

type Idle = Extract<Phase, { at: 'idle' }>;

/** Is it idle without a process, or about to be? */
export function isDormant({ phase }: Pick<Session, 'phase'>): boolean {
  return phase.at === 'idle' && phase.dormant === true;
}

/** Ends an idle process that is driven by messages after a while; null: it is kept. */
export function nextUnused(s: Session, phase: Idle, snapshot: Snapshot, nowMs: number): Step | null {
  const { idleMsMax = null } = s.spec.policy;
  if (s.spec.drive !== 'server' || idleMsMax === null || isInUse(s, snapshot)) return null;
  const sinceMs = Math.max(phase.sinceMs, s.turn.progressAtMs);
  if (nowMs < sinceMs + idleMsMax) return wait(sinceMs + idleMsMax);
  return append({ type: 'run.closing', run: runOf(s), idleMs: nowMs - sinceMs });
}

/** A person has control, a prompt or question is open, or the agent is working by itself. */
function isInUse({ prompts, turn, gate, attendance, updates }: Session, { screen, messages }: Snapshot): boolean {
  const isWanted = prompts.length > 0 || attendance.control !== null || updates.inTurn !== null;
  const isAsking = gate.approvals.length > 0 || (messages?.unanswered ?? []).length > 0;
  const isBusy = turn.other !== null || turn.calls.length > 0 || turn.subagents.length > 0;
  return isWanted || isAsking || isBusy || screen.is !== 'ready';
}

/** Ends its process, without a fault. The next prompt starts another one. */
export function nextDormant(s: Session, snapshot: Snapshot, nowMs: number): Step {
  if (s.run !== null && s.run.outputBytes === null) {
    const isThere = snapshot.terminal.is === 'alive' || snapshot.strayProcesses > 0;
    if (isThere) return act({ kind: 'close', run: s.run.number });
    return draining(snapshot) ? wait(nowMs + DRAIN_LOOK_MS) : append(ended(s, snapshot));
  }
  if (s.prompts.length === 0) return nextUpdatePrompt(s, nowMs) ?? wait(null);
  return nextStarted(s, snapshot);
}

/** Starts the next run of a session without a process, as soon as possible. */
export function nextStarted(s: Session, snapshot: Snapshot): Step {
  const held = nextMissing(s, snapshot) ?? nextInUse(s, snapshot);
  return held ?? (snapshot.slot ? append(starting(s, snapshot)) : wait(null));
}
