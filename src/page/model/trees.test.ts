import { expect, test } from 'vitest';
import type { SessionRow } from '../../api/contract-list.ts';
import { treesOf } from './trees.ts';

const row = (id: string, createdAtMs: number, owner?: string, usd: number | null = 1): SessionRow =>
  ({
    ...{ id, name: id, createdAtMs, phase: 'idle', held: null, approvals: 0, prompts: [] },
    usage: { turns: 1, tokens: 10, usd },
    owner: owner === undefined ? null : { session: owner, root: 'a', depth: 1, wake: false, onEnd: 'keep' },
  }) as unknown as SessionRow;

test('a tree has its sessions in order, with the lines that connect them, and what all of it used', () => {
  const rows = [row('a', 1), row('b', 2, 'a'), row('c', 3, 'b'), row('d', 4, 'b', null), row('e', 5, 'a'), row('z', 9)];
  const [tree, ...others] = treesOf(rows);
  expect(others).toEqual([]);
  expect(tree?.nodes.map(({ row: { id }, under, isLast, lines }) => [id, under, isLast, lines])).toEqual([
    ['a', 0, true, []],
    ['b', 1, false, []],
    ['c', 2, false, [true]],
    ['d', 2, true, [true]],
    ['e', 1, true, []],
  ]);
  expect(tree?.used).toEqual({ turns: 5, tokens: 50, usd: 4 });
});
