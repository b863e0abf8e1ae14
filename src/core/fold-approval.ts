import type { Event, EventBody } from './event.ts';
import { type Phase, runOf, type Session } from './session.ts';

/** So many answers are remembered: a hook asks for its own at once. */
const ANSWERS_MAX = 200;

/** What a question, or the answer to one, changes. */
export function applyApproval(s: Session, body: EventBody, { steadyMs, seq }: Event): Session {
  switch (body.type) {
    case 'approval.asked': {
      const { approval: id, run, call, tool, hash, hook } = body;
      const asked = { id, run, call, tool, hash, hook, askedAtMs: steadyMs, askedSeq: seq };
      const phase: Phase = s.phase.at === 'working' ? { at: 'blocked', run: runOf(s), sinceMs: steadyMs } : s.phase;
      return { ...s, approvals: [...s.approvals, asked], phase };
    }
    case 'approval.decided': {
      const asked = s.approvals.find(({ id }) => id === body.approval);
      const { approval, call, tool, hash, allow, editHash: granted = hash } = body;
      const hook = asked?.hook ?? '';
      const answer = { approval, call, tool, hash, granted, hook, allow, used: false, atMs: steadyMs, seq };
      const answers = [...s.answers.slice(1 - ANSWERS_MAX), answer];
      return { ...without(s, approval, steadyMs), answers, calls: allow ? s.calls : uncalled(s, call) };
    }
    case 'approval.used':
      return { ...s, answers: s.answers.map((a) => (a.approval === body.approval ? { ...a, used: true } : a)) };
    case 'approval.missed': {
      const asked = [...s.approvals.map((a) => ({ ...a, approval: a.id })), ...s.answers];
      const call = asked.find(({ approval }) => approval === body.approval)?.call ?? null;
      return { ...without(s, body.approval, steadyMs), calls: uncalled(s, call) };
    }
    case 'approval.ruled':
      return { ...s, rules: [...s.rules, { effect: body.effect, text: body.text }] };
    case 'approval.breached':
      return s;
    default:
      throw new Error(`apply: no such event: ${body.type}`);
  }
}

/** The last question that is out of the way lets the turn go on. */
function without(s: Session, id: string, nowMs: number): Session {
  const approvals = s.approvals.filter((a) => a.id !== id);
  const isStill = approvals.length > 0 || s.phase.at !== 'blocked';
  return { ...s, approvals, phase: isStill ? s.phase : { at: 'working', run: runOf(s), sinceMs: nowMs } };
}

/** A call that was denied does not run. */
function uncalled(s: Session, call: string | null): Session['calls'] {
  return s.calls.filter(({ id }) => id !== call);
}
