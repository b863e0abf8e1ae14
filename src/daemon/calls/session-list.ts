import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { tailLines } from '../../terminal/output-lines.ts';
import { isBelow } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';
import { listed } from '../views/listed.ts';
import { filesOf } from '../views/output-files.ts';
import { shortened } from '../views/view.ts';
import { workingViewOf } from '../views/working-view.ts';

type Owned = Parameters<typeof isBelow>[1];

/** Lists sessions: live ones first, then those that have ended; newest first. */
export async function sessionList(
  parts: Parts,
  { limit, tail, ...query }: HandlerInput<'session.list'>,
): Promise<CallOutput<'session.list'>> {
  const { state } = parts.config;
  const below = (session: Owned, above: Owned): boolean => isBelow(parts.journal, session, above);
  const rows = listed({ ...parts, isBelow: below }, { ...query, limit: limit + 1 });
  const shown = rows.slice(0, limit).map(async (row) => {
    const view = shortened(await workingViewOf(parts, row));
    return tail === 0 ? view : { ...view, tail: [...(await tailLines(filesOf(state, row.session), tail)).lines] };
  });
  return { sessions: await Promise.all(shown), more: rows.length > limit };
}
