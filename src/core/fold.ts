import { assert, unreachable } from '../base/assert.ts';
import type { Actor } from './actor.ts';
import { droppedOf, isDeferred, isUnderWay, keptOf, unused } from './deferred.ts';
import type { Event, EventBody } from './event.ts';
import { isOf, type RunBody, type SessionBody } from './event-body.ts';
import { applyAgent } from './fold-agent.ts';
import { applyApproval } from './fold-approval.ts';
import { created } from './fold-created.ts';
import { applyOwnership } from './fold-ownership.ts';
import { applyPrompt } from './fold-prompt.ts';
import { isHeldBetweenRuns, released, sentAfresh } from './fold-release.ts';
import { applyRemedy, phaseBack, suspendPhase } from './fold-remediation.ts';
import { freshRun } from './fold-run.ts';
import { applyUsage } from './fold-usage.ts';
import { writtenAfter } from './fold-written.ts';
import { changed } from './parts.ts';
import { heldPhase } from './restored.ts';
import { type Fault, type Phase, type Prompt, type Run, runOf, type Session, type Word } from './session.ts';
import { applySwitch, stayed } from './switch.ts';
import { withRunsBefore, withUnreported } from './unreported.ts';

/** Events in, session out. Total: any prefix of a journal folds. Reads no clock. */
export function fold(events: readonly Event[]): Session | null {
  return events.reduce<Session | null>(apply, null);
}

/** Applies one event. */
export function apply(session: Session | null, event: Event): Session {
  if (event.body.type === 'session.created') return created(event, event.body);
  assert(session !== null, `event ${event.seq} of ${event.session} comes before session.created`);
  assert(event.seq === session.seq + 1, `event ${event.seq} of ${event.session} does not follow ${session.seq}`);
  const isNews = event.cause?.from === 'hook' || event.cause?.from === 'server';
  const { body } = event;
  const s: Session = {
    ...session,
    seq: event.seq,
    turn: { ...session.turn, progressAtMs: isNews ? event.steadyMs : session.turn.progressAtMs },
    conversation: { ...session.conversation, written: writtenAfter(session, body) },
  };
  if (isOf(body, 'prompt')) return applyPrompt(s, body, event);
  if (isOf(body, 'run')) return applyRun(s, body, event.steadyMs);
  if (isOf(body, 'session')) return applySession(s, body, event);
  if (isOf(body, 'approval')) return applyApproval(s, body, event);
  if (isOf(body, 'remedy')) return applyRemedy(s, body, event.steadyMs);
  if (isOf(body, 'update', 'owner')) return applyOwnership(s, body, event.steadyMs);
  if (isOf(body, 'usage')) return applyUsage(s, body, event.atMs);
  if (isOf(body, 'control', 'visit', 'conversation', 'turn')) return applyAgent(s, body, event.steadyMs);
  if (isOf(body, 'tool', 'subagent', 'agent')) return applyAgent(s, body, event.steadyMs);
  return unreachable(body);
}

function applySession(s: Session, body: Exclude<SessionBody, { type: 'session.created' }>, event: Event): Session {
  const nowMs = event.steadyMs;
  switch (body.type) {
    case 'session.backgrounded':
      return { ...s, background: true };
    case 'session.closing':
      return { ...stayed(s), phase: closingPhase(s, body), gate: closedGate(s) };
    case 'session.ended':
      return {
        ...s,
        phase: { at: 'ended', outcome: body.outcome },
        gate: { ...s.gate, approvals: [], postponed: [] },
        attendance: { control: null, visitWanted: false, suspendedPhase: null },
      };
    case 'session.removed':
      return { ...s, removed: true };
    case 'session.resumed':
      return resumed(body.startFresh ? sentAfresh(s) : s, nowMs);
    case 'session.followed': {
      const textOf = new Map(body.texts.map(({ prompt, text }) => [prompt, text]));
      return { ...s, followed: true, prompts: s.prompts.map((p) => ({ ...p, text: textOf.get(p.id) ?? p.text })) };
    }
    case 'session.switching':
    case 'session.switched':
    case 'session.unswitched':
      return applySwitch(s, body, event);
    case 'session.held':
      return { ...s, phase: heldPhase(s, body, nowMs) };
    case 'session.restored':
      return { ...s, restored: true };
    case 'session.released':
      return released(worded(startedFresh(body.startFresh ? sentAfresh(s) : s), body.by, nowMs), nowMs);
    case 'session.limited':
      return { ...s, phase: { at: 'limited', run: body.run, untilMs: body.untilMs, sinceMs: nowMs } };
    case 'session.unlimited':
      return released(worded(s, body.by, nowMs), nowMs);
    default:
      return unreachable(body);
  }
}

/** Nobody waits for an answer any more. */
function closedGate(s: Session): Session['gate'] {
  return { ...s.gate, approvals: [], postponed: [], deferred: droppedOf(s) };
}

/** It waits for prompts again, and its limits are counted from here. */
function resumed(s: Session, nowMs: number): Session {
  return {
    ...s,
    phase: s.spec.drive === 'turns' ? { at: 'idle', run: 0, sinceMs: nowMs } : { at: 'queued' },
    keepOpen: true,
    background: true,
    recovery: { ...s.recovery, faults: 0 },
    followed: true,
    restored: false,
    accounting: { ...s.accounting, manualResume: wordOf(s, nowMs) },
  };
}

/** Only the conversation itself remembers a deferred call. */
function startedFresh(s: Session): Session {
  return s.conversation.written === 'given-up' && isHeldBetweenRuns(s) ? changed(s, 'gate', { deferred: null }) : s;
}

/** Its limits are counted from a manual resume. By itself, Outlast only tries whether it works again. */
function worded(s: Session, by: Actor | undefined, nowMs: number): Session {
  return by === undefined || by.is === 'host' ? s : changed(s, 'accounting', { manualResume: wordOf(s, nowMs) });
}

function wordOf({ accounting: { usage }, recovery: { resumes } }: Session, nowMs: number): Word {
  return { atMs: nowMs, usage, resumes };
}

function applyRun(s: Session, body: RunBody, nowMs: number): Session {
  switch (body.type) {
    case 'run.starting':
      return {
        ...undelayed(counted(body.how === 'visit' ? suspendPhase(s, nowMs) : s, nowMs)),
        run: freshRun(s, body),
        prompts: withUnreported(s, body).map((p) => (body.silent && isUnderWay(p) ? { ...p, run: body.run } : p)),
        phase: { at: 'opening', run: body.run, boot: body.boot },
      };
    case 'run.opened':
      return { ...change(s, { pid: body.pid || null, openedAtMs: nowMs }), phase: openedPhase(s, body.run, nowMs) };
    case 'run.ready':
      return { ...s, phase: { at: 'idle', run: body.run, sinceMs: nowMs } };
    case 'run.delayed':
      return changed(s, 'conversation', { delay: { untilMs: body.untilMs, why: body.why } });
    case 'run.closing': {
      const sinceMs = s.phase.at === 'idle' ? s.phase.sinceMs : nowMs;
      return { ...s, phase: { at: 'idle', run: body.run, sinceMs, dormant: true } };
    }
    case 'run.written':
      if (body.what === 'eof' && s.spec.terminal === 'pipe') return change(s, { inputClosed: true });
      return body.what === 'size' || body.what === 'interrupt' ? s : change(s, { typedAtMs: nowMs });
    case 'run.gapped':
      return change(s, { incomplete: true, cut: body.why === 'terminal' });
    case 'run.ended': {
      const over = quiet(change(s, { exit: body.exit, outputBytes: body.outputBytes, incomplete: !body.complete }));
      const idle = s.spec.drive === 'turns' && s.phase.at !== 'closing';
      const phase: Phase = s.attendance.suspendedPhase
        ? phaseBack(s.attendance.suspendedPhase, body.run, nowMs)
        : {
            at: isDeferred(over) && over.gate.approvals.length > 0 ? 'blocked' : 'idle',
            run: body.run,
            sinceMs: nowMs,
          };
      return idle
        ? { ...over, phase, attendance: { ...over.attendance, visitWanted: false, suspendedPhase: null } }
        : over;
    }
    case 'run.faulted':
      return {
        ...quiet(unused(withUnknown(s))),
        recovery: { ...s.recovery, faults: s.recovery.faults + (isOfHost(body.fault) ? 0 : 1) },
        phase: { at: 'recovering', run: body.run, fault: body.fault, retryAtMs: body.retryAtMs },
      };
    default:
      return unreachable(body);
  }
}

/** Its conversation is opened now. */
function undelayed(s: Session): Session {
  const { delay, ...conversation } = s.conversation;
  return delay === undefined ? s : { ...s, conversation };
}

/** A resume after the session's own fault counts for ever; faults of the host do not count. */
function counted(s: Session, nowMs: number): Session {
  if (s.phase.at !== 'recovering' || isOfHost(s.phase.fault)) return s;
  return changed(s, 'recovery', {
    resumes: s.recovery.resumes + 1,
    resumedAtMs: [...s.recovery.resumedAtMs.slice(-19), nowMs],
  });
}

/** A reboot, a planned restart, a holder or a tmux server that died. */
export function isOfHost(fault: Fault): boolean {
  return fault.kind === 'cut' || (fault.kind === 'lost' && (fault.reboot || fault.planned === true));
}

/**
 * Calls that were open when the run broke off or had just ended, for the agent's continuation. A call that waited for
 * approval was not made.
 */
function withUnknown(s: Session): Session {
  const isCut = (p: Prompt): boolean => p.run === runOf(s) && p.state === 'accepted';
  const isWaiting = (id: string): boolean => s.gate.approvals.some(({ call, shown }) => call === id && !shown);
  const unknown = s.turn.calls.filter(({ id }) => !isWaiting(id));
  const { done = [], earlier = [] } = s.turn;
  const named = { unknown, done, earlier };
  return { ...s, prompts: s.prompts.map((p) => (isCut(p) ? { ...p, ...withRunsBefore(p, named) } : p)) };
}

/** Work in progress ends with its run. */
function quiet(s: Session): Session {
  const { approvals, answers, calls } = keptOf(s);
  const still = { calls, done: [], earlier: [], other: null, interrupting: null, subagents: [] };
  return { ...s, gate: { ...s.gate, approvals, answers }, turn: { ...s.turn, ...still } };
}

function openedPhase(s: Session, run: number, nowMs: number): Phase {
  if (s.run?.how === 'visit') return { at: 'visited', run, sinceMs: nowMs };
  switch (s.spec.drive) {
    case 'command':
    case 'turns':
      return { at: s.gate.approvals.length > 0 ? 'blocked' : 'working', run, sinceMs: nowMs };
    case 'live':
    case 'server':
      return { at: 'starting', run, sinceMs: nowMs };
    default:
      return unreachable(s.spec.drive);
  }
}

function closingPhase(s: Session, body: Extract<EventBody, { type: 'session.closing' }>): Phase {
  const graceMs = body.graceMs ?? s.spec.policy.graceMs;
  return { at: 'closing', run: runOf(s), outcome: body.outcome, graceMs };
}

function change(s: Session, run: Partial<Run>): Session {
  return s.run === null ? s : { ...s, run: { ...s.run, ...run } };
}
