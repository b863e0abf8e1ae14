import { byPolicy } from './actor.ts';
import { breach } from './admit-hook.ts';
import { isDeferred } from './deferred.ts';
import type { Step } from './event.ts';
import { deferDueMs, nextDeferral } from './next-deferred.ts';
import { decisionOn, openQuestionsOf, postponeDueMs } from './postponed.ts';
import { runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { append } from './steps.ts';

/**
 * What the gate requires before anything else: ending a run that bypassed it, and answering a question that timed out.
 */
export function nextApproval(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  const { gate } = s.spec.conversation ?? {};
  if (gate === undefined || s.phase.at === 'closing' || s.phase.at === 'ended') return null;
  if (gate.mode === 'gate' && snapshot.breach !== null) {
    const { tool, call, evidence, run } = snapshot.breach;
    return append({ type: 'approval.breached', run, call, tool, evidence }, breach(tool));
  }
  const deferral = nextDeferral(s, nowMs);
  if (deferral) return deferral;
  const [oldest] = openQuestionsOf(s);
  const dueMs = approvalDueMs(s);
  if (oldest === undefined || dueMs === null || nowMs < dueMs) return nextPostponed(s, nowMs);
  const allow = gate.mode === 'watch';
  const why = allow ? 'it was shown and not denied' : 'no answer in time';
  return append(...decisionOn(s, oldest, { allow, by: byPolicy('timeout'), why, rule: null }));
}

/** The agent would soon deny the call by itself, and then nobody could allow it any more. */
function nextPostponed(s: Session, nowMs: number): Step | null {
  const asked = s.gate.approvals.find((each) => nowMs >= (postponeDueMs(s, each) ?? Number.POSITIVE_INFINITY));
  return asked === undefined ? null : append({ type: 'approval.postponed', approval: asked.id, run: runOf(s) });
}

/** When to look again at a gated agent, whatever else there is to wait for; null: not needed. */
export function gateLookMs(s: Session, nowMs: number): number | null {
  if (s.spec.conversation?.gate === undefined) return null;
  if (isDeferred(s)) return null;
  const isAtWork = ['working', 'blocked', 'visited'].includes(s.phase.at) || s.turn.other !== null;
  const lookMs = isAtWork ? nowMs + GATE_LOOK_MS : Number.POSITIVE_INFINITY;
  const postponesMs = s.gate.approvals.map((each) => postponeDueMs(s, each) ?? lookMs);
  const untilMs = Math.min(lookMs, approvalDueMs(s) ?? lookMs, deferDueMs(s) ?? lookMs, ...postponesMs);
  return untilMs === Number.POSITIVE_INFINITY ? null : untilMs;
}

/** When the oldest question times out; null: there is none, or it has no timeout. */
function approvalDueMs(s: Session): number | null {
  const [oldest] = openQuestionsOf(s);
  const { approvalMsMax } = s.spec.policy;
  return oldest === undefined || approvalMsMax === null ? null : oldest.askedAtMs + approvalMsMax;
}

/** A bypass of the gate is found by looking, in case no hook reports it. */
const GATE_LOOK_MS = 1_000;
