import type { CallOutput } from '../../api/contract.ts';
import type { SessionView } from '../../api/shapes.ts';
import { endedBadly } from '../../present/state.ts';
import { EXIT } from '../base/exit.ts';
import { hasBroken } from './reply.ts';

/** The exit status of a wait: 0 only when a requested condition was met. */
export function waitStatus(
  { met, session }: Pick<CallOutput<'session.wait'>, 'met' | 'session'>,
  asked = 'exit',
): number {
  const words = asked.split(',');
  switch (met) {
    case 'exit':
      return words.includes('exit') || words.includes('ended') ? endStatus(session) : earlyEndStatus(session);
    case 'held':
      return words.includes('held') ? EXIT.fine : EXIT.held;
    case 'limited':
    case 'unsure':
      return EXIT.held;
    case 'nothing':
      if (session.phase === 'ended') return earlyEndStatus(session);
      return session.held === null ? EXIT.tooSlow : EXIT.held;
    default:
      return EXIT.fine;
  }
}

/** The status of several waits: of the one that most needs attention. */
export function worstStatus(statuses: readonly number[]): number {
  const order: readonly number[] = [EXIT.endedBadly, EXIT.held, EXIT.stopped, EXIT.tooSlow, EXIT.fine];
  const unknown = statuses.find((status) => !order.includes(status));
  return unknown ?? order.find((status) => statuses.includes(status)) ?? EXIT.fine;
}

function endStatus(session: SessionView): number {
  if (!endedBadly(session)) return EXIT.fine;
  // An agent that was stopped did nothing wrong, but it is not what was waited for either.
  return session.drive === 'command' || hasBroken(session) ? EXIT.endedBadly : EXIT.stopped;
}

function earlyEndStatus(session: SessionView): number {
  return session.drive === 'command' || hasBroken(session) ? EXIT.endedBadly : EXIT.stopped;
}
