import { nameOf } from '../../core/name.ts';
import type { SpawnLimits } from '../../core/ownership.ts';
import type { Session, SessionId, Usage } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';

type Listed = Pick<Journal, 'tree' | 'find'>;

/** Why the tree of a session is over its budget; null: it is not, or has none. */
export function overdrawn(journal: Listed, session: Session, limits = session.spec.spawn): string | null {
  const { turns = null, tokens = null, usd = null } = limits?.budget ?? ({} as Partial<SpawnLimits['budget']>);
  if (turns === null && tokens === null && usd === null) return null;
  const root = session.owner?.root ?? session.id;
  const used = usedBelow(journal, root);
  const row = journal.find(root);
  const name = row === null ? root : nameOf(row.session);
  const many = (max: number, what: string): string =>
    `the tree of ${name} has used up its budget of ${max} ${what}${max === 1 ? '' : 's'}`;
  if (turns !== null && used.turns >= turns) return many(turns, 'turn');
  if (tokens !== null && used.tokens >= tokens) return many(tokens, 'token');
  if (usd !== null && (used.usd ?? 0) >= usd) return `the tree of ${name} has used up its budget of $${usd}`;
  return null;
}

/** The usage of a tree, including ended and removed sessions. */
function usedBelow(journal: Listed, root: SessionId): Usage {
  const usages = journal.tree(root).map(({ session }) => session.accounting.usage);
  return usages.reduce(
    (sum, { turns, tokens, usd }) => ({
      turns: sum.turns + turns,
      tokens: sum.tokens + tokens,
      usd: usd === null ? sum.usd : (sum.usd ?? 0) + usd,
    }),
    { turns: 0, tokens: 0, usd: null },
  );
}
