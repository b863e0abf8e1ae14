import type { CallerProof } from '../../api/spawn-shape.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Actor } from '../../core/actor.ts';
import { nameOf } from '../../core/name.ts';
import type { Schedule } from '../../core/schedule/schedule.ts';
import type { Journal } from '../../journal/journal.ts';
import { namedActor } from '../owners/actors.ts';
import { callerSession, isBelow } from '../owners/owners.ts';

/** Who changes a schedule. A session may change only those that it or a session below it made. */
export function changerOf(
  journal: Pick<Journal, 'find' | 'session'>,
  { by, caller }: { readonly by: string; readonly caller?: CallerProof | undefined },
  { id, spec }: Schedule,
): Actor {
  const me = callerSession(journal, caller);
  if (me === null) return namedActor(by);
  const owner = spec.owner === null ? undefined : journal.find(spec.owner)?.session;
  if (owner !== undefined && (owner.id === me.id || isBelow(journal, owner, me)))
    return { is: 'owner', session: me.id };
  throw new OutlastError('owner_refused', `${nameOf({ id, spec })} is not a schedule that ${nameOf(me)} made`);
}
