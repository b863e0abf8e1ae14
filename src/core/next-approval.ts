import { byPolicy } from './actor.ts';
import { breach } from './admit-hook.ts';
import { decided } from './approval.ts';
import { isDeferred } from './deferred.ts';
import type { Step } from './event.ts';
import { deferDueMs, nextDeferral } from './next-deferred.ts';
import type { Session } from './session.ts';
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
  const [oldest] = s.gate.approvals;
  const dueMs = approvalDueMs(s);
  if (oldest === undefined || dueMs === null || nowMs < dueMs) return null;
  const allow = gate.mode === 'watch';
  const why = allow ? 'it was shown and not denied' : 'no answer in time';
  return append(decided(oldest, { allow, by: byPolicy('timeout'), why, rule: null }));
}

/** When to look again at a gated agent, whatever else there is to wait for; null: not needed. */
export function gateLookMs(s: Session, nowMs: number): number | null {
  if (s.spec.conversation?.gate === undefined) return null;
  if (isDeferred(s)) return null;
  const isAtWork = ['working', 'blocked', 'visited'].includes(s.phase.at) || s.turn.other !== null;
  const lookMs = isAtWork ? nowMs + GATE_LOOK_MS : Number.POSITIVE_INFINITY;
  const untilMs = Math.min(lookMs, approvalDueMs(s) ?? lookMs, deferDueMs(s) ?? lookMs);
  return untilMs === Number.POSITIVE_INFINITY ? null : untilMs;
}

/** When the oldest question times out; null: there is none, or it has no timeout. */
function approvalDueMs({
  gate: {
    approvals: [oldest],
  },
  spec,
}: Session): number | null {
  const { approvalMsMax } = spec.policy;
  return oldest === undefined || approvalMsMax === null ? null : oldest.askedAtMs + approvalMsMax;
}

/** A bypass of the gate is found by looking, in case no hook reports it. */
const GATE_LOOK_MS = 1_000;
