import { type Clock, monotonicMs, realClock } from '../../base/clock.ts';
import type { Journal, Position } from '../../journal/journal.ts';

/** A clock whose steady time continues across reboots, from the journal: the kernel's own restarts at 0. */
export function steadyClock(journal: Pick<Journal, 'fact' | 'saveFact' | 'read' | 'head'>, boot: string): Clock {
  if (journal.fact('boot') !== boot) {
    const last = journal.read(Math.max(0, journal.head() - 1) as Position, 1)[0];
    const originMs = Math.max(0, (last?.event.steadyMs ?? 0) - monotonicMs());
    journal.saveFact('steadyOriginMs', String(originMs));
    journal.saveFact('boot', boot);
  }
  return realClock(Number(journal.fact('steadyOriginMs') ?? 0));
}
