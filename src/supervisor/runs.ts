import { runOf, type Session, type TerminalKind } from '../core/session.ts';
import type { RunRef } from '../terminal/terminal.ts';

/** The current run of a session. */
export function refOf(session: Session): RunRef {
  return { session: session.id, run: runOf(session) };
}

/**
 * The runs whose processes may still exist: for turns all of them, because what a turn left running continues after it.
 */
export function runsOf(session: Session): RunRef[] {
  const run = runOf(session);
  if (session.spec.drive !== 'turns') return [refOf(session)];
  return Array.from({ length: run }, (_, i) => ({ session: session.id, run: i + 1 }));
}

/** Where the session's run lives. */
export function terminalOf(session: Session): TerminalKind {
  return session.run?.terminal ?? session.spec.terminal;
}
