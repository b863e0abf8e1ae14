import { OutlastError } from '../../base/errors.ts';
import type { Input } from '../../core/event.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import type { Row } from '../../journal/journal.ts';
import { namedActor } from '../owners/actors.ts';
import { type ChangeParts, waitForChange } from './wait-for-change.ts';

/** How long an interrupted turn may take to end before the call fails. */
const INTERRUPT_MS_MAX = 10_000;

interface TurnParts extends ChangeParts {
  readonly sessions: { find(word: string): Row; submit(session: Session, input: Input): unknown };
}

/** Interrupts the running turn, and waits until it has ended. */
export async function interruptTurn(parts: TurnParts, session: Session, signal: AbortSignal): Promise<void> {
  parts.sessions.submit(session, { type: 'interrupt', by: namedActor('caller') });
  const isOver = (): boolean => parts.sessions.find(session.id).session.turn.interrupting === null;
  await until(parts, isOver, { what: `the turn of ${nameOf(session)} to end`, signal });
}

/** Waits for a condition on the journal. */
export async function until(
  parts: ChangeParts,
  isSo: () => boolean,
  { what, signal, msMax = INTERRUPT_MS_MAX }: { what: string; signal: AbortSignal; msMax?: number },
): Promise<void> {
  const deadlineMs = parts.clock.steadyMs() + msMax;
  while (!isSo() && !signal.aborted) {
    if (parts.clock.steadyMs() >= deadlineMs) throw new OutlastError('timed_out', `waited ${msMax} ms for ${what}`);
    await waitForChange(parts, { session: null, files: [] }, isSo, signal, deadlineMs - parts.clock.steadyMs());
  }
}
