import { expect, test } from 'vitest';
import { treeOf } from './tree.ts';

const owner = (session: string) => ({ session, root: 'a', depth: 1, wake: true, onEnd: 'stop' as const });

test('each session is shown under its owner, and one whose owner is not shown is at the top level', () => {
  const sessions = [
    { id: 'd', owner: owner('c') },
    { id: 'c', owner: owner('a') },
    { id: 'b', owner: owner('gone') },
    { id: 'a', owner: null },
  ];
  const shown = treeOf(sessions).map(({ each, under }) => `${'.'.repeat(under)}${each.id}`);
  expect(shown).toEqual(['b', 'a', '.c', '..d']);
});
