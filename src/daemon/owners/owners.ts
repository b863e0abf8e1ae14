import type { CallerProof } from '../../api/spawn-shape.ts';
import { OutlastError } from '../../base/errors.ts';
import { fold } from '../../core/fold.ts';
import { nameOf } from '../../core/name.ts';
import type { Session, SessionId } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import { deciderOf } from './decider.ts';

type Found = Pick<Journal, 'find' | 'session'>;

/** The agent session that a caller runs in, also through commands that it started; null: none. */
export function callerSession(journal: Found, caller: CallerProof | undefined): Session | null {
  const agents = [...insideOf(caller)].flatMap((id) => agentAbove(journal, id) ?? []);
  // The deepest one has the least rights.
  return agents.toSorted((a, b) => depthOf(b) - depthOf(a))[0] ?? null;
}

/** How many owners are above it. */
export function depthOf({ owner }: Session): number {
  return owner?.depth ?? 0;
}

/**
 * Refuses a change by a session that is not an owner: it may change itself and what it started. People may anything.
 */
export function refuseStranger(journal: Found, caller: CallerProof | undefined, target: Session): Session | null {
  const me = callerSession(journal, caller);
  if (me === null || me.id === target.id || isBelow(journal, target, me)) return me;
  const name = (session: Session): string => nameOf(session);
  throw new OutlastError('owner_refused', `${name(target)} is not a session that ${name(me)} started`);
}

/** Refuses what no session may do at all. */
export function refuseInside(journal: Found, caller: CallerProof | undefined, what: string): void {
  const me = callerSession(journal, caller);
  if (me !== null) throw new OutlastError('owner_refused', `${nameOf(me)} may not ${what}; a person may`);
}

/** True when it is owned by that session, directly or through others. */
export function isBelow(journal: Found, session: Session, above: Session): boolean {
  return ownersOf(journal, session).some(({ id }) => id === above.id);
}

/** The owner, its owner, and so on. */
function ownersOf(journal: Found, session: Session): Session[] {
  const owners: Session[] = [];
  let at: Session | null = ownerOf(journal, session);
  while (at !== null && !owners.includes(at)) {
    owners.push(at);
    at = ownerOf(journal, at);
  }
  return owners;
}

function ownerOf(journal: Found, { owner }: Session): Session | null {
  return owner === null ? null : recalled(journal, owner.session);
}

function agentAbove(journal: Found, id: string): Session | null {
  const session = recalled(journal, id as SessionId);
  if (session === null) return null;
  return [session, ...ownersOf(journal, session)].find(({ spec }) => spec.drive !== 'command') ?? null;
}

/** Finds removed sessions too: what one left running must not count as a person. */
function recalled(journal: Found, id: SessionId): Session | null {
  return journal.find(id)?.session ?? fold(journal.session(id).events);
}

/** The sessions around a caller. A process that we cannot see, as in a container, may still name one itself. */
function insideOf(caller: CallerProof | undefined): ReadonlySet<string> {
  if (caller === undefined) return new Set();
  try {
    return deciderOf(caller).inside;
  } catch {
    return new Set(caller.run === null ? [] : [caller.run.replace(/\.\d+$/, '')]);
  }
}
