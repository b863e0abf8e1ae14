import type { Actor } from './actor.ts';
import { type Approval, decided, SCREEN } from './approval.ts';
import type { EventBody } from './event.ts';
import { apply } from './fold.ts';
import { openQuestionsOf } from './postponed.ts';
import { runOf, type Session } from './session.ts';

/**
 * Adds, before the events, the end of every question that they close. After a crash, a stop or the end of a turn
 * nothing waits for the answer: recording that keeps no question open for ever.
 */
export function withMissed(s: Session, bodies: readonly EventBody[]): readonly EventBody[] {
  const open = openQuestionsOf(s);
  if (open.length === 0) return bodies;
  const after = bodies.reduce((now, body) => apply(now, { ...NOW, session: s.id, seq: now.seq + 1, body }), s);
  const isOpen = (id: string): boolean => openQuestionsOf(after).some((asked) => asked.id === id);
  const isClosed = (id: string): boolean =>
    bodies.some((body) => CLOSING.includes(body.type) && 'approval' in body && body.approval === id);
  const gone = open.filter(({ id }) => !isOpen(id) && !isClosed(id));
  const missed = gone.map(({ id }): EventBody => ({ type: 'approval.missed', approval: id, run: runOf(s) }));
  return [...missed, ...bodies];
}

/** The time does not matter for which questions are open. */
const NOW = { atMs: 0, steadyMs: 0, cause: null } as const;
const CLOSING: readonly EventBody['type'][] = ['approval.decided', 'approval.missed'];

/** An agent ends the hook of a dialog that is answered with no, or that closes with its turn. */
export function closedBy({ turn: { interrupting } }: Session, question: Approval): EventBody {
  const by = interrupting?.by ?? SCREEN;
  const why = interrupting === null ? 'its dialog was closed without a yes' : 'its turn was interrupted';
  return decided(question, { allow: false, by, why, rule: null });
}

/** An agent that waits for the answer to a message gets one when its turn is to end. */
export function interruption(s: Session, by: Actor): EventBody[] {
  const interrupting: EventBody = { type: 'turn.interrupting', run: runOf(s), by };
  if (s.spec.drive !== 'server') return [interrupting];
  const answer = { allow: false, by, why: 'its turn was interrupted', rule: null };
  return [...s.gate.approvals.map((asked) => decided(asked, answer)), interrupting];
}
