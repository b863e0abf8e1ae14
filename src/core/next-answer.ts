import type { Step } from './event.ts';
import { isToInterrupt } from './next-agent.ts';
import { runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { act } from './steps.ts';

/**
 * A question that came in a message is answered in a message, as decided. A question that is no longer open is refused;
 * without a gate, every call is allowed.
 */
export function nextAnswer(s: Session, snapshot: Snapshot): Step | null {
  const { messages } = snapshot;
  if (['opening', 'recovering', 'closing', 'ended'].includes(s.phase.at)) return null;
  // An agent continues after a no, but not after an interrupt.
  if (isToInterrupt(s, snapshot)) return null;
  const { answers, approvals } = s.gate;
  const isInterrupted = s.turn.interrupting !== null;
  // Some agents end an interrupted turn only when they have an answer.
  const isOpen = (question: string): boolean => !isInterrupted && approvals.some(({ hook }) => hook === question);
  const question = messages?.unanswered.find((each) => !isOpen(each));
  if (question === undefined) return null;
  const answer = answers.findLast(({ hook }) => hook === question);
  const allow = answer?.allow ?? (!isInterrupted && s.spec.conversation?.gate === undefined);
  return act({ kind: 'answer', run: runOf(s), question, allow, seq: answer?.seq ?? null });
}
