import type { Session } from '../core/session.ts';
import type { Journal } from '../journal/journal.ts';

/** Of the sessions that have ended, so many are looked at, newest first. */
const ENDED_MAX = 1_000;

/** The other sessions of the same agent in the same folder, also those that ended lately. */
export function sessionsBeside(journal: Pick<Journal, 'list'>, { id, spec }: Session): readonly Session[] {
  const rows = [
    ...journal.list({ state: 'live', limit: Number.MAX_SAFE_INTEGER }),
    ...journal.list({ state: 'every', limit: ENDED_MAX }).filter(({ live }) => !live),
  ];
  return rows.flatMap(({ session: other }) => {
    const isBeside = other.id !== id && other.spec.agent === spec.agent && other.spec.workspace === spec.workspace;
    return isBeside ? [other] : [];
  });
}
