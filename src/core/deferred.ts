import type { ApprovalBody } from './approval.ts';
import type { EventBody } from './event.ts';
import { changed } from './parts.ts';
import { type Deferred, type GateState, type Prompt, runOf, type Session, type Turn } from './session.ts';

type Body<Type extends ApprovalBody['type']> = Extract<ApprovalBody, { type: Type }>;

/** A call was deferred and its process has ended: the answer to the question will start another. */
export function isDeferred({ gate: { deferred }, run }: Session): boolean {
  return deferred?.is === 'waiting' && run !== null && run.outputBytes !== null;
}

/** Its turn is under way: the prompt was received, or at least sent. */
export function isUnderWay({ state }: Prompt): boolean {
  return state !== 'queued' && state !== 'troubled';
}

type Kept = Pick<GateState, 'approvals' | 'answers'> & Pick<Turn, 'calls'>;

/** What is kept when a run ends: everything about the deferred call. */
export function keptOf(s: Session): Kept {
  const { deferred } = s.gate;
  if (deferred?.is !== 'waiting') return { approvals: [], answers: [], calls: [] };
  return {
    approvals: s.gate.approvals.filter(({ id }) => id === deferred.approval),
    answers: s.gate.answers.filter(({ approval }) => approval === deferred.approval),
    calls: s.turn.calls.filter(({ id }) => id === deferred.call),
  };
}

/** A run that had asked again has crashed: what was not done yet is resumed as before. */
export function unused(s: Session): Session {
  const { deferred } = s.gate;
  const isFree = s.gate.answers.some(({ approval, used }) => approval === deferred?.approval && !used);
  return deferred?.is === 'asked' && isFree ? changed(s, 'gate', { deferred: { ...deferred, is: 'waiting' } }) : s;
}

/** The turn is over, but the agent still remembers the call. */
export function droppedOf({ gate: { deferred } }: Session): Deferred | null {
  return deferred === null ? null : { ...deferred, is: 'dropped' };
}

/** The agent was told to defer the call. */
export function deferralSent(s: Session, { approval, run }: Body<'approval.deferred'>): Session {
  const call = s.gate.approvals.find(({ id }) => id === approval)?.call ?? null;
  return call === null ? s : changed(s, 'gate', { deferred: { approval, run, call, is: 'told' } });
}

/** The agent has deferred it. */
export function putOff(s: Session, { run }: Extract<EventBody, { type: 'turn.deferred' }>): Session {
  return s.gate.deferred === null ? s : changed(s, 'gate', { deferred: { ...s.gate.deferred, run, is: 'waiting' } });
}

/** The agent asks about the same call with another input: the decision does not apply to that. */
export function askedDifferently({ gate: { deferred } }: Session, call: string | null): Deferred | null {
  return deferred?.is === 'waiting' && deferred.call === call ? { ...deferred, is: 'asked' } : deferred;
}

/** A prompt counts as received when every call deferred before it is settled. */
export function settledOf(s: Session): Deferred | null {
  const { deferred } = s.gate;
  return deferred?.is === 'waiting' || deferred?.run === runOf(s) ? deferred : null;
}

/** The agent asks again: the question, or its answer, now belongs to that hook. */
export function repeated(s: Session, { approval: id, run, hook }: Body<'approval.repeated'>, nowMs: number): Session {
  const approvals = s.gate.approvals.map((a) => (a.id === id ? { ...a, run, hook, askedAtMs: nowMs } : a));
  const answers = s.gate.answers.map((a) => (a.approval === id ? { ...a, hook, atMs: nowMs } : a));
  const isOpen = s.phase.at === 'working' && approvals.some((a) => a.id === id);
  const phase = isOpen ? ({ at: 'blocked', run: runOf(s), sinceMs: nowMs } as const) : s.phase;
  return {
    ...s,
    gate: { ...s.gate, approvals, answers, deferred: s.gate.deferred && { ...s.gate.deferred, run, is: 'asked' } },
    phase,
  };
}
