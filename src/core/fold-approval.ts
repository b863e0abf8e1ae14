import { unreachable } from '../base/assert.ts';
import type { ApprovalBody, ApprovalId } from './approval.ts';
import { askedDifferently, deferralSent, isDeferred, repeated } from './deferred.ts';
import type { Event } from './event.ts';
import { changed } from './parts.ts';
import { decidedLate, postponed, postponedOf, repeatedLate } from './postponed.ts';
import { type Answer, type Deferred, type Phase, runOf, type Session, type Turn } from './session.ts';

type Decided = Extract<ApprovalBody, { type: 'approval.decided' }>;
type Postponing = Extract<ApprovalBody, { type: 'approval.postponed' }>;

/** How many answers are remembered. A hook fetches its own at once. */
const ANSWERS_MAX = 200;

/** Applies an event about a question or its answer. */
export function applyApproval(s: Session, body: ApprovalBody, { steadyMs, seq }: Event): Session {
  switch (body.type) {
    case 'approval.asked': {
      const { approval: id, run, call, tool, hash, subagent, hook, waitsMs } = body;
      const known = { id, run, call, tool, hash, subagent, hook, ...(waitsMs === undefined ? {} : { waitsMs }) };
      const asked = { ...known, shown: false, askedAtMs: steadyMs, askedSeq: seq };
      const phase: Phase = s.phase.at === 'working' ? { at: 'blocked', run: runOf(s), sinceMs: steadyMs } : s.phase;
      return {
        ...s,
        gate: { ...s.gate, approvals: [...s.gate.approvals, asked], deferred: askedDifferently(s, call) },
        phase,
      };
    }
    case 'approval.shown': {
      const { hook } = body;
      return changed(s, 'gate', {
        approvals: s.gate.approvals.map((a) => (a.id === body.approval ? { ...a, hook, shown: true } : a)),
      });
    }
    case 'approval.decided': {
      const { approval, call, allow } = body;
      if (postponedOf(s).some((each) => each.approval.id === approval)) return decidedLate(s, body, seq);
      const answers = [...kept(s), answerOf(s, body, steadyMs, seq)];
      const told = changed(without(s, approval, steadyMs), 'gate', { answers });
      return allow ? told : changed(told, 'turn', { calls: uncalled(s, call) });
    }
    case 'approval.deferred':
      return deferralSent(s, body);
    case 'approval.postponed':
      return toldToGoOn(s, body, seq, steadyMs);
    case 'approval.repeated':
      return body.call === undefined ? repeated(s, body, steadyMs) : repeatedLate(s, body, steadyMs);
    case 'approval.used':
      return changed(s, 'gate', {
        answers: s.gate.answers.map((a) => (a.approval === body.approval ? { ...a, used: true } : a)),
      });
    case 'approval.missed':
      return missed(s, body.approval, steadyMs);
    case 'approval.ruled':
      return changed(s, 'gate', { rules: [...s.gate.rules, { effect: body.effect, text: body.text }] });
    case 'approval.refused':
    case 'approval.breached':
      return s;
    default:
      return unreachable(body);
  }
}

/** For the agent the call is denied. */
function toldToGoOn(s: Session, body: Postponing, seq: number, nowMs: number): Session {
  const call = s.gate.approvals.find(({ id }) => id === body.approval)?.call ?? null;
  const told = without(postponed(s, body, seq, nowMs), body.approval, nowMs);
  return changed(told, 'turn', { calls: uncalled(s, call) });
}

function missed(s: Session, id: ApprovalId, nowMs: number): Session {
  const asked = [...s.gate.approvals.map((a) => ({ ...a, approval: a.id })), ...s.gate.answers];
  const call = asked.find(({ approval }) => approval === id)?.call ?? null;
  const others = postponedOf(s).filter(({ approval }) => approval.id !== id);
  const rest = changed(without(s, id, nowMs), 'gate', { deferred: unsettled(s, id), postponed: others });
  return changed(rest, 'turn', { calls: uncalled(s, call) });
}

function answerOf(
  s: Session,
  { approval, call, tool, hash, allow, by, editHash: granted = hash }: Decided,
  atMs: number,
  seq: number,
): Answer {
  const asked = s.gate.approvals.find(({ id }) => id === approval);
  // An answer given at the screen is final: the hook that still waits gets nothing that could allow the call.
  const isOver = by.is === 'person' && by.at === 'screen';
  const hook = isOver ? '' : (asked?.hook ?? '');
  const shown = asked?.shown ?? false;
  return { approval, call, tool, hash, granted, hook, shown, allow, used: isOver, atMs, seq };
}

/** Answers for calls still in progress are never dropped, however many follow. */
function kept({ gate: { answers }, turn: { calls } }: Session): Answer[] {
  const isOpen = ({ call }: Answer): boolean => calls.some(({ id }) => id === call);
  return answers.filter((answer, i) => i > answers.length - ANSWERS_MAX || isOpen(answer));
}

/** When the last open question is settled, the turn continues. */
function without(s: Session, id: string, nowMs: number): Session {
  const approvals = s.gate.approvals.filter((a) => a.id !== id);
  const isStill = approvals.length > 0 || s.phase.at !== 'blocked';
  // Without a process it has to be resumed first.
  const at = isDeferred(s) ? 'idle' : 'working';
  return { ...s, gate: { ...s.gate, approvals }, phase: isStill ? s.phase : { at, run: runOf(s), sinceMs: nowMs } };
}

/** The agent did not come back for the answer. If it does later, it asks again. */
function unsettled({ gate: { deferred } }: Session, id: string): Deferred | null {
  return deferred?.approval === id ? { ...deferred, is: 'asked' } : deferred;
}

/** A denied call does not run. */
function uncalled(s: Session, call: string | null): Turn['calls'] {
  return s.turn.calls.filter(({ id }) => id !== call);
}
