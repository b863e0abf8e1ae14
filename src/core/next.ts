import { unreachable } from '../base/assert.ts';
import { byPolicy } from './actor.ts';
import { isSameBoot } from './boot.ts';
import type { EventBody, Step } from './event.ts';
import { isHeldBetweenRuns } from './fold-release.ts';
import { nextHeld, nextIdle, nextStarting, nextThinking } from './next-agent.ts';
import { nextAnswer } from './next-answer.ts';
import { gateLookMs, nextApproval } from './next-approval.ts';
import { nextControl, nextShown, nextVisited } from './next-control.ts';
import { nextParked } from './next-deferred.ts';
import { delayed } from './next-delayed.ts';
import { nextStarted } from './next-dormant.ts';
import { inTurnUpdateLookMs, nextInTurnUpdate, nextWithdrawal } from './next-in-turn-update.ts';
import { nextRecovering } from './next-recovering.ts';
import { ofRemedy } from './next-remedy.ts';
import { nextSwitch } from './next-switch.ts';
import { nextLimited, nextSettled } from './next-trouble.ts';
import { nextTurnOver } from './next-turn.ts';
import { nextUnknownAgent } from './next-unknown-agent.ts';
import { heldBack } from './restored.ts';
import { say } from './say.ts';
import type { Fault, Phase, Session } from './session.ts';
import type { Snapshot, TerminalSnapshot } from './snapshot.ts';
import { act, append, DRAIN_LOOK_MS, draining, ended, exited, faulted, gone, lost, wait } from './steps.ts';
import { withMissed } from './unanswered.ts';

// Invariants, checked by the simulator:
// 1. An event is durable before any reader sees it.       5. A report about an earlier run changes nothing.
// 2. An intent is durable before its effect; one intent,  6. Submitting the same input twice changes nothing.
//    one try.                                             7. Every wait has an end.
// 3. At most one run of a session is alive.               8. One host owns a session; only the owner writes it.
// 4. An ended session has no process left.

/** How soon to look again for the command's own pid. */
const SIGN_LOOK_MS = 5;

/**
 * What to do now, given what is observed. Pure. Called after every step until it returns wait. `nowMs` is steady time.
 */
export function next(s: Session, snapshot: Snapshot, nowMs: number): Step {
  const dueMs = deadlineMs(s) ?? Number.POSITIVE_INFINITY;
  if (nowMs >= dueMs) {
    const fault: Fault = { kind: 'deadline', afterMs: nowMs - (s.accounting.manualResume?.atMs ?? s.created.steadyMs) };
    return append(...withMissed(s, [{ type: 'session.closing', outcome: { kind: 'abandoned', fault } }]));
  }
  const planned = delayed(s, snapshot, nextApproval(s, snapshot, nowMs) ?? nextNamed(s, snapshot, nowMs), nowMs);
  const step = nextUnknownAgent(s, snapshot) ?? heldBack(s, snapshot, planned);
  if (step.do === 'append') return append(...withMissed(s, step.events));
  if (step.do === 'act') return step;
  const looksMs = [gateLookMs(s, nowMs) ?? dueMs, inTurnUpdateLookMs(s, snapshot, nowMs) ?? dueMs];
  const untilMs = Math.min(step.untilMs ?? dueMs, dueMs, ...looksMs);
  return wait(untilMs === Number.POSITIVE_INFINITY ? null : untilMs);
}

/** When the whole session has to be over; null: never, or not while it is limited or a person has control. */
function deadlineMs(s: Session): number | null {
  const { deadlineMsMax = null } = s.spec.policy;
  const { control } = s.attendance;
  const { manualResume, parkedMs } = s.accounting;
  const isOver = ['closing', 'ended', 'limited'].includes(s.phase.at) || control?.how === 'handoff' || s.restored;
  return deadlineMsMax === null || isOver
    ? null
    : (manualResume?.atMs ?? s.created.steadyMs) + deadlineMsMax + parkedMs;
}

function nextNamed(s: Session, snapshot: Snapshot, nowMs: number): Step {
  const step = nextInTime(s, snapshot, nowMs);
  return step.do === 'append' ? append(...step.events.map((body) => ofRemedy(s, body))) : step;
}

function nextInTime(s: Session, snapshot: Snapshot, nowMs: number): Step {
  const { phase } = s;
  const back = nextWithdrawal(s, snapshot, nowMs) ?? nextAnswer(s, snapshot);
  const away = back ?? nextSwitch(s, snapshot, nowMs);
  if (away) return away;
  switch (phase.at) {
    case 'queued':
      return nextStarted(s, snapshot);
    case 'opening':
      return nextOpening(s, phase, snapshot, nowMs);
    case 'starting':
      return gone(s, snapshot, nowMs) ?? nextControl(s, snapshot) ?? nextStarting(s, phase, snapshot, nowMs);
    case 'idle':
      return nextIdle(s, phase, snapshot, nowMs);
    case 'held':
      return nextShown(s, snapshot, nowMs) ?? nextAlive(s, snapshot, nowMs) ?? nextHeld(s, phase, snapshot, nowMs);
    case 'limited':
      return nextShown(s, snapshot, nowMs) ?? nextAlive(s, snapshot, nowMs) ?? nextLimited(s, phase, snapshot, nowMs);
    case 'visited':
      return nextVisited(s, phase, snapshot, nowMs);
    case 'working':
    case 'blocked':
      return nextParked(s) ?? nextBusy(s, phase, snapshot, nowMs);
    case 'recovering':
      return nextRecovering(s, phase, snapshot, nowMs);
    case 'closing':
      return nextClosing(s, phase, snapshot, nowMs);
    case 'ended':
      return wait(null);
    default:
      return unreachable(phase);
  }
}

/** A live agent may die and a person may attach even while nothing can be done. Between turns there is no process. */
function nextAlive(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  if (s.spec.drive === 'turns' || isHeldBetweenRuns(s)) return null;
  return gone(s, snapshot, nowMs) ?? nextControl(s, snapshot);
}

function nextOpening(s: Session, phase: Extract<Phase, { at: 'opening' }>, snapshot: Snapshot, nowMs: number): Step {
  if (snapshot.terminal.is === 'absent') {
    // The machine restarted since the intent. The run may have been opened, and its claim lost in a power cut: opening
    // it now could run it twice.
    if (!isSameBoot(snapshot.boot, phase.boot)) return faulted(s, lost(s, snapshot), nowMs);
    // A person arrived after the intent. Nothing was opened yet.
    if (snapshot.holder !== undefined) return faulted(s, { kind: 'cut', why: snapshot.holder }, nowMs);
    const how = s.run?.how ?? 'launch';
    const isSpokenTo = s.spec.drive === 'turns' && how !== 'visit' && s.run?.silent !== true;
    const spoken = isSpokenTo ? say(s.prompts[0]) : null;
    return act({ kind: 'open', run: phase.run, how, say: spoken });
  }
  const pid = snapshot.terminal.is === 'alive' ? snapshot.terminal.pid : 0;
  // The launcher runs, but the command has not recorded its pid yet; it will in a moment.
  if (snapshot.terminal.is === 'alive' && pid === 0) return wait(nowMs + SIGN_LOOK_MS);
  const opened: EventBody = { type: 'run.opened', run: phase.run, pid };
  if (s.spec.drive !== 'command' || snapshot.terminal.is === 'alive') return append(opened);
  // A short command is over before we first see it: one append instead of two.
  const over = commandOver(s, snapshot, nowMs);
  return over?.do === 'append' ? append(opened, ...over.events) : (over ?? append(opened));
}

function nextBusy(
  s: Session,
  phase: Extract<Phase, { at: 'working' | 'blocked' }>,
  snapshot: Snapshot,
  nowMs: number,
): Step {
  const { policy, drive } = s.spec;
  const mending = nextGap(s, snapshot, nowMs);
  if (mending) return mending;
  const over = drive === 'command' ? commandOver(s, snapshot, nowMs) : null;
  if (over) return over;
  if (drive === 'turns' && snapshot.terminal.is !== 'alive') {
    return draining(snapshot) ? wait(nowMs + DRAIN_LOOK_MS) : nextTurnOver(s, snapshot, nowMs);
  }
  const fault = drive === 'command' ? null : (gone(s, snapshot, nowMs) ?? nextControl(s, snapshot));
  if (fault) return fault;
  const openedAtMs = s.run?.openedAtMs ?? phase.sinceMs;
  const dueMs = policy.runMsMax === null ? Number.POSITIVE_INFINITY : openedAtMs + policy.runMsMax;
  // A session that was handed to a person stays theirs until they hand it back.
  if (nowMs >= dueMs && s.attendance.control?.how !== 'handoff') return stopped('timeout');
  if (drive !== 'command') return nextInTurnUpdate(s, snapshot, nowMs) ?? nextThinking(s, snapshot, nowMs);
  const silentMs = silenceDueMs(s, openedAtMs, snapshot, nowMs);
  if (nowMs >= silentMs) return stopped('silence');
  const untilMs = Math.min(dueMs, silentMs);
  return wait(untilMs === Number.POSITIVE_INFINITY ? null : untilMs);
}

function stopped(bound: 'timeout' | 'silence'): Step {
  return append({ type: 'session.closing', outcome: { kind: 'stopped', by: byPolicy(bound) } });
}

/** When a command will have been silent for too long, unless it prints before. */
function silenceDueMs(s: Session, openedAtMs: number, { terminal }: Snapshot, nowMs: number): number {
  const { quietMsMax = null } = s.spec.policy;
  if (quietMsMax === null || terminal.is !== 'alive') return Number.POSITIVE_INFINITY;
  return nowMs + quietMsMax - Math.min(terminal.quietMs, nowMs - openedAtMs);
}

/** Output stopped arriving: its sink is restarted; a command without a terminal gets SIGHUP, an agent is resumed. */
function nextGap(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  const { terminal } = snapshot;
  if (terminal.is !== 'alive' || terminal.sink === 'ok' || s.run === null) return null;
  const run = s.run.number;
  if (terminal.sink === 'broken') {
    if (s.run.incomplete) return act({ kind: 'repair-output', run });
    return append({ type: 'run.gapped', run, atBytes: terminal.outputBytes, why: 'sink' });
  }
  if (s.spec.drive !== 'command') return faulted(s, { kind: 'cut' }, nowMs);
  if (!s.run.cut) return append({ type: 'run.gapped', run, atBytes: terminal.outputBytes, why: 'terminal' });
  // The kernel sends SIGHUP to the launcher only, which has to survive. A command that ignores it runs to its end.
  return snapshot.tried === 'no' ? act({ kind: 'hangup', run }) : null;
}

/** The end of a command is its result, whatever the status; only a missing status is a fault. */
function commandOver(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  const { terminal } = snapshot;
  if (terminal.is === 'alive') return null;
  if (draining(snapshot)) return wait(nowMs + DRAIN_LOOK_MS);
  if (terminal.is === 'dead' && terminal.failed === null && terminal.oom !== true) {
    return append(ended(s, snapshot), { type: 'session.ended', outcome: { kind: 'done', exit: terminal.exit } });
  }
  const fault = terminal.is === 'dead' ? deadFault(s, snapshot, terminal) : lost(s, snapshot);
  // Closing first: processes that the lost command started may still run.
  return append({ type: 'session.closing', outcome: { kind: 'abandoned', fault } });
}

function deadFault(s: Session, snapshot: Snapshot, terminal: Extract<TerminalSnapshot, { is: 'dead' }>): Fault {
  return terminal.failed === null ? exited(s, snapshot, terminal) : { kind: 'unstarted', why: terminal.failed };
}

function nextClosing(s: Session, phase: Extract<Phase, { at: 'closing' }>, snapshot: Snapshot, nowMs: number): Step {
  const over: EventBody = { type: 'session.ended', outcome: phase.outcome };
  if (s.run === null) return append(over);
  // A launcher may have been started that has not claimed its run yet. Closing claims it first, so that it never will.
  const { is } = snapshot.terminal;
  if (is === 'absent' ? isSameBoot(snapshot.boot, s.run.boot) : is === 'alive' || snapshot.strayProcesses > 0) {
    return act({ kind: 'close', run: phase.run });
  }
  if (draining(snapshot)) return wait(nowMs + DRAIN_LOOK_MS);
  const settled = nextSettled(s, snapshot);
  if (settled) return settled;
  return s.run.outputBytes === null ? append(ended(s, snapshot), over) : append(over);
}
