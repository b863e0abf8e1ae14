import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { shortId } from '../../base/ids.ts';
import type { Session } from '../../core/session.ts';
import { tailLines } from '../../terminal/output-lines.ts';
import { lastLinesOf } from '../logs/last-lines.ts';
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
  const below = (session: Owned, above: Owned): boolean => isBelow(parts.journal, session, above);
  const rows = listed({ ...parts, isBelow: below }, { ...query, limit: limit + 1 });
  const shown = rows.slice(0, limit).map(async (row) => {
    const short = shortId(row.session.id, (prefix) => parts.journal.beginning(prefix, 2).length === 1);
    const view = { ...shortened(await workingViewOf(parts, row)), short };
    return tail === 0 ? view : { ...view, tail: await tailOf(parts, row.session, tail) };
  });
  return { sessions: await Promise.all(shown), more: rows.length > limit };
}

/** The last lines that it printed; of an agent, of its logs. */
async function tailOf(parts: Parts, session: Session, count: number): Promise<string[]> {
  if (session.spec.drive !== 'command') return lastLinesOf(parts, session, count);
  return [...(await tailLines(filesOf(parts.config.state, session), count)).lines];
}
