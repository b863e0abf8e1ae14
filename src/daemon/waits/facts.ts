import type { EventView } from '../../api/shapes.ts';
import { LIMITS } from '../../base/limits.ts';
import { openQuestionsOf } from '../../core/postponed.ts';
import type { Session } from '../../core/session.ts';
import { awaitsSwitch } from '../../core/switch.ts';
import type { Entry, Journal, Position, Row } from '../../journal/journal.ts';
import { eventView } from '../views/view.ts';
import { isOfType } from './event-types.ts';
import type { Wanted } from './words.ts';

/** A result of a wait that comes from the journal. */
export type FactMet =
  | { readonly met: 'exit' | 'idle' | 'held' | 'limited' | 'unsure' | 'approval' }
  | { readonly met: 'event'; readonly event: EventView };

/** Checks the state of a session in the journal. */
export type FactLook = (row: Row) => FactMet | null;

/** The check for something that the journal records; null when the journal does not record it. */
export function factLook(journal: Pick<Journal, 'read' | 'id'>, wanted: Wanted, after: Position): FactLook | null {
  switch (wanted.kind) {
    case 'exit':
      return (row) => (row.live ? null : { met: 'exit' });
    case 'held':
      return (row) => (isHeld(row) ? { met: 'held' } : null);
    case 'approval':
      return ({ session }) => (openQuestionsOf(session).length > 0 ? { met: 'approval' } : null);
    case 'idle':
      return (row) => (row.live && !isHeld(row) && isIdle(row.session) ? { met: 'idle' } : null);
    case 'event':
      return eventLook(journal, wanted.type, after);
    case 'idle-output':
    case 'text':
      return null;
  }
}

/** Why waiting longer is useless: it has ended, only a person can help, or it waits for a limit, maybe for days. */
export function stuckOf(row: Row, throughLimits: boolean): 'exit' | 'held' | 'limited' | 'unsure' | null {
  if (!row.live) return 'exit';
  if (isHeld(row)) return 'held';
  if (row.session.phase.at === 'limited' && !throughLimits && !awaitsSwitch(row.session)) return 'limited';
  return isUnsure(row.session) ? 'unsure' : null;
}

/** A session whose journal cannot be read needs a person too. */
function isHeld({ session, live, unreadableAt }: Row): boolean {
  return live && (session.phase.at === 'held' || unreadableAt !== null);
}

/** True for an agent with nothing left to do. */
function isIdle(s: Session): boolean {
  // A session that does not stay open is about to end: its end counts, not the moment before.
  const stays = s.keepOpen || s.attendance.control !== null;
  return s.phase.at === 'idle' && s.prompts.length === 0 && s.turn.other === null && stays;
}

/** True when the first prompt is unsure: it is not sent again automatically, and those behind it wait. */
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
