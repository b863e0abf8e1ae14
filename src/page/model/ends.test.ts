import { expect, test } from 'vitest';
import type { SessionView } from '../../api/shapes.ts';
import { endsWith } from './ends.ts';

type OnEnd = 'stop' | 'keep' | 'up';
const row = (id: string, owner?: string, onEnd: OnEnd = 'stop', phase: SessionView['phase'] = 'idle') => ({
  id,
  phase,
  owner: owner === undefined ? null : { session: owner, root: 'a', depth: 1, wake: false, onEnd },
});

test('what is to be stopped ends with its owner, and what that started with it; what is kept goes on', () => {
  const rows = [
    row('a'),
    row('b', 'a'),
    row('c', 'b'),
    row('d', 'a', 'keep'),
    row('e', 'd'),
    row('f', 'b', 'up'),
    row('g', 'a', 'stop', 'ended'),
    row('z'),
  ];
  const { stopped, kept } = endsWith('a', rows);
  expect(stopped.map(({ id }) => id)).toEqual(['b', 'c']);
  // What d started ends with d, which goes on.
  expect(kept.map(({ id }) => id)).toEqual(['f', 'd']);
  expect(endsWith('z', rows)).toEqual({ stopped: [], kept: [] });
});
