import type { CallerProof } from '../../api/spawn-shape.ts';
import { OutlastError } from '../../base/errors.ts';
import { type Actor, named } from '../../core/actor.ts';
import type { Session } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import { callerSession } from './owners.ts';

/** The actor of a call. Callers choose only their name; whether one is an owner is derived from its process. */
export function actorOf(
  journal: Pick<Journal, 'find' | 'session'>,
  { by, caller }: { readonly by: string; readonly caller?: CallerProof | undefined },
  target: Session,
): Actor {
  const actor = namedActor(by);
  const me = callerSession(journal, caller);
  return me === null || me.id === target.id ? actor : { is: 'owner', session: me.id };
}

/** A person or a program by name. Callers cannot use the names of policies, rules and the daemon. */
export function namedActor(name: string): Actor {
  const actor = named(name);
  if (actor !== null) return actor;
  throw new OutlastError('input_invalid', `by: "${name}" is a reserved name; give your own`);
}
