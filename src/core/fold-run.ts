import type { EventBody } from './event.ts';
import type { How, Run, Session, TerminalKind } from './session.ts';

/** A run that is about to be opened. */
export function freshRun(s: Session, body: Extract<EventBody, { type: 'run.starting' }>): Run {
  return {
    number: body.run,
    boot: body.boot,
    how: body.how,
    silent: body.silent ?? false,
    ...(body.upTo !== undefined && { upTo: body.upTo }),
    terminal: terminalFor(s, body.how),
    reported: false,
    pid: null,
    openedAtMs: null,
    exit: null,
    outputBytes: null,
    incomplete: false,
    inputClosed: false,
    cut: false,
  };
}

function terminalFor(s: Session, how: How): TerminalKind {
  return how === 'visit' ? (s.spec.conversation?.screen ?? 'pty') : s.spec.terminal;
}
