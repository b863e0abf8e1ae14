import type { SessionRow } from '../../api/contract-list.ts';
import { attentionOf } from '../../present/attention.ts';
import { treeOf } from '../../present/tree.ts';

/** A session in its tree. */
export interface TreeNode {
  readonly row: SessionRow;
  readonly under: number;
  /** For each level above it, whether a line goes on below: there are further sessions. */
  readonly lines: readonly boolean[];
  /** It is the last of those that its owner started. */
  readonly isLast: boolean;
}

/** A session that no other started, and everything below it. */
export interface Tree {
  readonly root: SessionRow;
  readonly nodes: readonly TreeNode[];
  readonly used: SessionRow['usage'];
}

/** The trees that have more than one session, those with something that is not over first, newest first. */
export function treesOf(rows: Iterable<SessionRow>): readonly Tree[] {
  const trees: { root: SessionRow; flat: { each: SessionRow; under: number }[] }[] = [];
  for (const item of treeOf(sorted(rows))) {
    if (item.under === 0) trees.push({ root: item.each, flat: [item] });
    else trees.at(-1)?.flat.push(item);
  }
  return trees
    .filter(({ flat }) => flat.length > 1)
    .map(({ root, flat }) => ({ root, nodes: nodesOf(flat), used: usedBy(flat.map(({ each }) => each)) }))
    .sort((a, b) => Number(isOver(a)) - Number(isOver(b)));
}

/** Newest first; the children of a session in the order in which it started them. */
function sorted(rows: Iterable<SessionRow>): SessionRow[] {
  return [...rows].sort((a, b) =>
    a.owner === null || b.owner === null ? b.createdAtMs - a.createdAtMs : a.createdAtMs - b.createdAtMs,
  );
}

function isOver({ nodes }: Pick<Tree, 'nodes'>): boolean {
  return nodes.every(({ row }) => attentionOf(row) === 'ended');
}

function nodesOf(flat: readonly { each: SessionRow; under: number }[]): TreeNode[] {
  return flat.map(({ each, under }, i) => ({
    row: each,
    under,
    isLast: !goesOn(flat, i, under),
    lines: Array.from({ length: Math.max(under - 1, 0) }, (_, level) => goesOn(flat, i, level + 1)),
  }));
}

/** Is there a further session at this level, before the branch ends? */
function goesOn(flat: readonly { under: number }[], from: number, level: number): boolean {
  for (const { under } of flat.slice(from + 1)) {
    if (under < level) return false;
    if (under === level) return true;
  }
  return false;
}

function usedBy(rows: readonly SessionRow[]): SessionRow['usage'] {
  return rows.reduce(
    (sum, { usage: { turns, tokens, usd } }) => ({
      turns: sum.turns + turns,
      tokens: sum.tokens + tokens,
      usd: usd === null ? sum.usd : (sum.usd ?? 0) + usd,
    }),
    { turns: 0, tokens: 0, usd: null as number | null },
  );
}
