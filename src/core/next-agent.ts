import { byPolicy, isBound, person } from './actor.ts';
import type { EventBody, Step } from './event.ts';
import { IN_USE, UNFOUND } from './fold-release.ts';
import { nextControl } from './next-control.ts';
import { nextDormant, nextUnused } from './next-dormant.ts';
import { nextFreed } from './next-holder.ts';
import { nextQueued, nextSending } from './next-prompt.ts';
import { nextSearched } from './next-search.ts';
import { nextStaying, watched } from './next-staying.ts';
import { nextAllowed, nextCounted, nextTroubled, nextWord } from './next-trouble.ts';
import { nextBetweenTurns, nextLeftOver, outcomeOf, turnOver } from './next-turn.ts';
import { isExpecting, nextUpdatePrompt } from './next-update.ts';
import { type Hold, type Phase, type PromptId, runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { isLongLived } from './spec.ts';
import { act, append, faulted, gone, hung, isAtRest, PERSON_LOOK_MS, sendingOf, wait } from './steps.ts';

/** How soon to look again at a screen that is about to change. */
const READY_LOOK_MS = 50;
/** Hooks report while the agent works; this look makes up for a lost one. */
const WORK_LOOK_MS = 2_000;
/** A turn that rests this long without an answer is over. */
const LEFT_MS = 5_000;
/** How often a turn that may hang is looked at. */
const HANG_LOOK_MS = 6_000;
/**
 * Activity without progress may lead to progress: each such sign extends the limit by a part, a bounded number of
 * times. A connection sends pings and a spinner turns even when nothing else will come.
 */
const EXTENSIONS_MAX = 3;
/** A dialog that has not changed for this long is not about to close. */
const STUCK_MS = 3_000;
/** Right after a key, the screen still shows its old content for a moment. */
const SETTLE_MS = 300;

/** A live agent that has not reported that it is ready. */
export function nextStarting(
  s: Session,
  phase: Extract<Phase, { at: 'starting' }>,
  snapshot: Snapshot,
  nowMs: number,
): Step {
  // An agent may ask about a usage limit that is over. Outlast types nothing there; a new run does not ask.
  const isAsked = snapshot.screen.is === 'dialog' && snapshot.screen.why.about === 'limit';
  if (isAsked && (s.prompts[0]?.troubles ?? 0) > 0) return faulted(s, { kind: 'cut' }, nowMs);
  if (snapshot.screen.is === 'dialog' && isResumedInPlace(s))
    return faulted(s, { kind: 'cut', why: 'resumed after it could not be used' }, nowMs);
  if (snapshot.screen.is === 'dialog')
    return append({ type: 'session.held', run: phase.run, why: snapshot.screen.why });
  if (isAtRest(snapshot) || snapshot.screen.is === 'busy') return append({ type: 'run.ready', run: phase.run });
  const dueMs = phase.sinceMs + s.spec.policy.startMsMax;
  if (nowMs < dueMs) return wait(Math.min(dueMs, nowMs + READY_LOOK_MS));
  return faulted(s, { kind: 'unready', waitedMs: nowMs - phase.sinceMs }, nowMs);
}

/** A process that is driven by messages and cannot be used stays so: who resumes its session wants another one. */
function isResumedInPlace({ spec, run, accounting: { manualResume } }: Session): boolean {
  return spec.drive === 'server' && (manualResume?.atMs ?? 0) > (run?.openedAtMs ?? Number.POSITIVE_INFINITY);
}

/** A person is needed. Outlast never types into a dialog: it waits until the dialog is gone. */
export function nextHeld(s: Session, phase: Extract<Phase, { at: 'held' }>, snapshot: Snapshot, nowMs: number): Step {
  const { screen } = snapshot;
  if (phase.why.kind === IN_USE) return nextFreed(s, snapshot, nowMs);
  if (phase.why.kind === UNFOUND) return nextSearched(s, snapshot, nowMs);
  if (phase.why.needsResume === true) return nextWord(s, phase.why, phase.sinceMs, snapshot, nowMs);
  if (isAboutTool(snapshot) && isToInterrupt(s, snapshot)) return act({ kind: 'interrupt', run: phase.run });
  if (screen.is === 'dialog' && !isSameHold(screen.why, phase.why)) {
    return append({ type: 'session.held', run: phase.run, why: screen.why });
  }
  if (screen.is === 'dialog' || screen.is === 'unknown') return wait(nowMs + PERSON_LOOK_MS);
  return append({ type: 'session.released', run: phase.run });
}

/** Older versions did not record what a dialog is about. */
function isSameHold(seen: Hold, known: Hold): boolean {
  return seen.kind === known.kind && seen.about === known.about;
}

/** No prompt is being worked on: end, send the next one, or find out what became of one that was sent. */
export function nextIdle(s: Session, phase: Extract<Phase, { at: 'idle' }>, snapshot: Snapshot, nowMs: number): Step {
  const prompt = s.prompts[0];
  if (s.spec.drive === 'turns') return nextBetweenTurns(s, prompt, snapshot, nowMs);
  const counted = nextCounted(s, snapshot);
  if (counted) return counted;
  if (prompt === undefined && !s.keepOpen && s.attendance.control === null && !isExpecting(s, snapshot)) {
    return append({ type: 'session.closing', outcome: outcomeOf(s) });
  }
  if (phase.dormant === true) return nextDormant(s, snapshot, nowMs);
  const first = gone(s, snapshot, nowMs) ?? nextControl(s, snapshot) ?? nextOther(s, phase, snapshot, nowMs);
  if (first) return first;
  // Before the dialog: an agent may open one about a problem that is already known.
  const troubled = prompt === undefined ? null : nextTroubled(s, prompt, snapshot, nowMs);
  if (troubled) return troubled;
  const dialog = nextDialog(s, snapshot, nowMs);
  if (dialog) return dialog;
  if (prompt === undefined) return nextFree(s, phase, snapshot, nowMs);
  if (prompt.state === 'queued') return nextAllowed(s, snapshot, nowMs) ?? nextQueued(s, prompt, snapshot, nowMs);
  return prompt.run === phase.run ? nextSending(s, prompt, snapshot, nowMs) : nextLeftOver(s, prompt, snapshot, nowMs);
}

/** Nothing is queued: updates may arrive, its process may be unused for too long, or a person may leave. */
function nextFree(s: Session, phase: Extract<Phase, { at: 'idle' }>, snapshot: Snapshot, nowMs: number): Step {
  const woken = s.turn.other === null ? nextUpdatePrompt(s, nowMs) : null;
  const step = woken ?? nextUnused(s, phase, snapshot, nowMs);
  return step ?? wait(s.attendance.control?.how === 'attach' ? nowMs + PERSON_LOOK_MS : null);
}

/** A turn that no prompt of ours started. If its end was not reported, the screen shows it. */
function nextOther(
  s: Session,
  phase: { sinceMs: number; run: number },
  snapshot: Snapshot,
  nowMs: number,
): Step | null {
  if (s.turn.other === null) return null;
  if (isToInterrupt(s, snapshot)) return act({ kind: 'interrupt', run: phase.run });
  const sinceMs = s.turn.interrupting?.sinceMs ?? phase.sinceMs;
  const settleMs = s.turn.interrupting === null ? WORK_LOOK_MS : SETTLE_MS;
  if (isAtRest(snapshot) && nowMs - sinceMs > settleMs)
    return append({ type: 'turn.ended', run: phase.run, reply: '' });
  return s.turn.interrupting === null ? null : wait(nowMs + READY_LOOK_MS);
}

/** Sent once, and only to an agent seen working: elsewhere Escape means something else. */
export function isToInterrupt(s: Session, snapshot: Snapshot): boolean {
  if (s.turn.interrupting === null) return false;
  if (s.spec.drive === 'server') return snapshot.screen.is === 'busy' && isToCancel(snapshot);
  if (snapshot.tried === 'yes') return false;
  return s.spec.drive === 'turns' || snapshot.screen.is === 'busy' || isAboutTool(snapshot);
}

/** Interrupting the same turn twice is harmless: the next daemon repeats an interrupt that may have been lost. */
function isToCancel({ messages, tried }: Snapshot): boolean {
  if (messages === undefined) return false;
  return messages.proof === 'not-done' || (messages.proof === 'unknown' && tried !== 'yes');
}

/** In that dialog, Escape means no and ends the turn. */
function isAboutTool({ screen }: Snapshot): boolean {
  return screen.is === 'dialog' && screen.why.about === 'tool';
}

/** An agent in the middle of a turn: the turn may be over, an approval may be due, or the agent may be silent. */
export function nextThinking(s: Session, snapshot: Snapshot, nowMs: number): Step {
  const run = runOf(s);
  if (isToInterrupt(s, snapshot)) return act({ kind: 'interrupt', run });
  if (isLongLived(s.spec)) {
    const dialog = nextDialog(s, snapshot, nowMs);
    if (dialog) return dialog;
    const step = nextTurnSeen(s, snapshot, nowMs) ?? nextSteering(s, snapshot, nowMs);
    if (step) return step;
  }
  const staying = nextStaying(s, snapshot, nowMs);
  if (staying) return staying;
  // An agent that waits for a person does not hang.
  if (s.gate.approvals.length === 0) return watched(nextSilence(s, snapshot, nowMs), snapshot, nowMs);
  return wait(isLongLived(s.spec) ? nowMs + WORK_LOOK_MS : null);
}

/**
 * A dialog about a call that we were asked about closes when the question is answered. Any other one needs a person.
 */
function nextDialog(s: Session, { screen, terminal }: Snapshot, nowMs: number): Step | null {
  if (screen.is !== 'dialog') return null;
  const isAsked = s.spec.conversation?.gate?.mode === 'gate' && screen.why.about === 'tool';
  if (!isAsked) return append({ type: 'session.held', run: runOf(s), why: screen.why });
  // Without an open question it is only opening or closing; if it stays, our hooks do not work. After an answer, its
  // time is counted from the answer.
  const sinceMs = 'sinceMs' in s.phase ? s.phase.sinceMs : nowMs;
  const isQuiet = terminal.is === 'alive' && terminal.quietMs > STUCK_MS;
  const isStuck = s.gate.approvals.length === 0 && isQuiet && nowMs - sinceMs > STUCK_MS;
  if (isStuck) return append({ type: 'session.held', run: runOf(s), why: screen.why });
  return wait(nowMs + (s.gate.approvals.length === 0 ? READY_LOOK_MS : WORK_LOOK_MS));
}

/** The turn ended without a report: Escape runs no hook, and a hook can be lost. */
function nextTurnSeen(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  if (!isAtRest(snapshot)) return null;
  const over = turnOver(s, snapshot);
  if (over !== null) return append(...over);
  // A working agent changes its screen. One that rests without an answer was stopped by a person.
  const isLeft = snapshot.terminal.is === 'alive' && snapshot.terminal.quietMs > LEFT_MS;
  const isSettled = s.turn.interrupting !== null && nowMs - s.turn.interrupting.sinceMs > SETTLE_MS;
  if (!isSettled && !isLeft) return null;
  const by = s.turn.interrupting?.by ?? person(null);
  const ours = s.prompts.filter((p) => p.state === 'accepted' && p.run === runOf(s));
  if (ours.length === 0) return null;
  if (!isSettled && s.spec.drive === 'server') return append(...ours.map(({ id }) => unseen(id)));
  return append(
    ...ours.map((p) => (isBound(by, 'hang') ? hung(p) : ({ type: 'prompt.interrupted', prompt: p.id, by } as const))),
  );
}

/** No person can have stopped it there. */
function unseen(prompt: PromptId): EventBody {
  return { type: 'prompt.failed', prompt, error: 'its turn is over, but how it ended is not known' };
}

/** A prompt that has to go into the running turn. */
function nextSteering(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  const sending = sendingOf(s);
  if (sending !== undefined) return nextSending(s, sending, snapshot, nowMs);
  // Nothing is added to a turn that is about to end.
  if (s.turn.interrupting !== null) return null;
  const prompt = s.prompts.find((p) => p.now && p.state === 'queued');
  return prompt === undefined ? null : nextQueued(s, prompt, snapshot, nowMs);
}

/**
 * Several signs together show that a turn hangs. It is interrupted first; if that does not help, or it hangs again, its
 * process is ended.
 */
function nextSilence(s: Session, snapshot: Snapshot, nowMs: number): Step {
  const { thinkMsMax = s.spec.policy.silenceMsMax, toolMsMax = thinkMsMax, interruptMsMax = 0 } = s.spec.policy;
  const { progressMs, movedMs = Number.POSITIVE_INFINITY, isComputing, recordedCalls = [], words } = snapshot.signs;
  const isQuietTool = s.turn.calls.length > 0 || recordedCalls.length > 0;
  const plainMs = isQuietTool ? toolMsMax : thinkMsMax;
  const extensionMs = plainMs / EXTENSIONS_MAX;
  const isMoving = movedMs < extensionMs;
  const limitMs = isMoving ? plainMs + EXTENSIONS_MAX * extensionMs : plainMs;
  const lookMs = s.turn.interrupting === null ? WORK_LOOK_MS : READY_LOOK_MS;
  const againMs = isLongLived(s.spec) ? nowMs + lookMs : Number.POSITIVE_INFINITY;
  const restMs = isMoving ? Math.min(limitMs - progressMs, extensionMs - movedMs) : limitMs - progressMs;
  if (progressMs < limitMs) return wait(Math.min(againMs, nowMs + Math.max(restMs, plainMs - progressMs)));
  if (isComputing || s.attendance.control !== null) return wait(Math.min(againMs, nowMs + HANG_LOOK_MS));
  const fault = { kind: 'stalled', silentMs: progressMs, signs: [...words] } as const;
  if (s.turn.interrupting !== null) {
    // It may be at rest already; look until that is certain.
    const dueMs = s.turn.interrupting.sinceMs + interruptMsMax;
    return nowMs < dueMs ? wait(Math.min(againMs, dueMs)) : faulted(s, fault, nowMs);
  }
  const isAgain = s.prompts.some((p) => p.state === 'accepted' && p.hungTurn > 0);
  if (s.spec.drive === 'turns' || snapshot.screen.is !== 'busy' || isAgain) return faulted(s, fault, nowMs);
  return append({ type: 'turn.interrupting', run: runOf(s), by: byPolicy('hang') });
}
