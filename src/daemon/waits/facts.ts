import type { EventView } from '../../api/shapes.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Session } from '../../core/session.ts';
import type { Entry, Journal, Position, Row } from '../../journal/journal.ts';
import { eventView } from '../views/view.ts';
import { isOfType } from './event-types.ts';
import type { Wanted } from './words.ts';

/** What the journal can answer a wait with. */
export type FactMet =
  | { readonly met: 'exit' | 'idle' | 'held' | 'limited' | 'unsure' | 'approval' }
  | { readonly met: 'event'; readonly event: EventView };

/** Looks at a session as the journal has it. */
export type FactLook = (row: Row) => FactMet | null;

/** Looks for one thing that the journal tells; null when it is not the journal's to tell. */
export function factLook(journal: Pick<Journal, 'read' | 'id'>, wanted: Wanted, after: Position): FactLook | null {
  switch (wanted.kind) {
    case 'exit':
      return (row) => (row.live ? null : { met: 'exit' });
    case 'held':
      return (row) => (isHeld(row) ? { met: 'held' } : null);
    case 'approval':
      return ({ session }) => (session.gate.approvals.length > 0 ? { met: 'approval' } : null);
    case 'idle':
      return (row) => (row.live && !isHeld(row) && isIdle(row.session) ? { met: 'idle' } : null);
    case 'event':
      return eventLook(journal, wanted.type, after);
    case 'idle-output':
    case 'text':
      return null;
  }
}

/** Why waiting longer is no use: it is over, only a person can help, or it waits for a limit, which may take days. */
export function stuckOf(row: Row, throughLimits: boolean): 'exit' | 'held' | 'limited' | 'unsure' | null {
  if (!row.live) return 'exit';
  if (isHeld(row)) return 'held';
  if (row.session.phase.at === 'limited' && !throughLimits) return 'limited';
  return isUnsure(row.session) ? 'unsure' : null;
}

/** A session whose journal cannot be read needs a person too. */
function isHeld({ session, live, unreadableAt }: Row): boolean {
  return live && (session.phase.at === 'held' || unreadableAt !== null);
}

/** An agent that has nothing left to do. */
function isIdle(s: Session): boolean {
  // What shall not stay open is about to end: its end is the news, not the moment before.
  const stays = s.keepOpen || s.attendance.control !== null;
  return s.phase.at === 'idle' && s.prompts.length === 0 && s.turn.other === null && stays;
}

/** The prompt in front is never sent again by itself, and those behind it wait for it. */
function isUnsure(s: Session): boolean {
  return s.phase.at === 'idle' && s.turn.other === null && s.prompts[0]?.state === 'unsure';
}

function eventLook(journal: Pick<Journal, 'read' | 'id'>, type: string, after: Position): FactLook {
  let seen = after;
  return ({ session, position }) => {
    while (seen < position) {
      const page = journal.read(seen, LIMITS.feedEventsMax, session.id);
      const found = page.find(({ event }: Entry) => isOfType(event.body.type, type));
      if (found !== undefined) return { met: 'event', event: eventView(journal, found) };
      seen = page.at(-1)?.position ?? position;
    }
    return null;
  };
}
