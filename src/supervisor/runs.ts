import { runOf, type Session, type TerminalKind } from '../core/session.ts';
import type { RunRef } from '../terminal/terminal.ts';

/** The run a session is at. */
export function refOf(session: Session): RunRef {
  return { session: session.id, run: runOf(session) };
}

/** The runs whose processes may still be there: of turns all, because what a turn left running goes on after it. */
export function runsOf(session: Session): RunRef[] {
  const run = runOf(session);
  if (session.spec.drive !== 'turns') return [refOf(session)];
  return Array.from({ length: run }, (_, i) => ({ session: session.id, run: i + 1 }));
}

/** Where the session's run lives. */
export function terminalOf(session: Session): TerminalKind {
  return session.run?.terminal ?? session.spec.terminal;
}
