import { expect, test } from 'vitest';
import type { SessionRow } from '../../api/contract-list.ts';
import { anAgent, endedSession } from '../../testing/session-view.ts';
import { type FleetItem, fleetItems, needing } from './grouping.ts';

const row = (parts: Partial<SessionRow>): SessionRow => ({ ...anAgent(parts), line: '', ...parts });
const owner = { session: 'boss', root: 'boss', depth: 1, wake: true, onEnd: 'stop' } as const;

const ROWS: readonly SessionRow[] = [
  row({ id: 'idle', name: 'readme', workspace: '/home/ana/shop' }),
  row({ id: 'boss', name: 'port', phase: 'working', createdAtMs: 5 }),
  row({ id: 'child', name: 'port-tests', phase: 'working', createdAtMs: 4, owner }),
  row({ id: 'later', name: 'payments', phase: 'blocked', approvals: 1, lastSignAtMs: 20, owner }),
  row({ id: 'first', name: 'login', phase: 'held', held: 'not logged in', lastSignAtMs: 10 }),
  { ...endedSession(0, { id: 'done', name: 'lint' }), line: 'ok' },
];
const ALL = { filter: '', by: 'state', folded: new Set<string>() } as const;
const told = (items: readonly FleetItem[]): string[] =>
  items.map((item) =>
    item.is === 'head'
      ? `${item.key} ${item.count}${item.isFolded ? ' folded' : ''}`
      : '  '.repeat(item.under) + item.key,
  );

test('sections in order, the longest wait first, children below their owner', () => {
  expect(told(fleetItems(ROWS, ALL))).toEqual([
    ...['needs you 2', 'first', 'later', 'working 2', 'boss', '  child', 'idle 1', 'idle', 'ended 1', 'done'],
  ]);
  expect(needing(ROWS).map(({ id }) => id)).toEqual(['first', 'later']);
});

test('a folded section shows its head, and a filter looks into it', () => {
  const folded = { ...ALL, folded: new Set(['ended']) };
  expect(told(fleetItems(ROWS, folded)).slice(-2)).toEqual(['idle', 'ended 1 folded']);
  expect(told(fleetItems(ROWS, { ...folded, filter: 'lint' }))).toEqual(['ended 1', 'done']);
});

test('a filter shows only what matches', () => {
  expect(told(fleetItems(ROWS, { ...ALL, filter: 'port' }))).toEqual(['working 2', 'boss', '  child']);
  expect(fleetItems(ROWS, { ...ALL, filter: 'qqq' })).toEqual([]);
});

test('by folder and as a tree', () => {
  expect(told(fleetItems(ROWS, { ...ALL, by: 'folder' }))[0]).toBe('/ 5');
  expect(told(fleetItems(ROWS, { ...ALL, by: 'tree' }))).toEqual([
    ...['first', 'boss', '  later', '  child', 'idle', 'done'],
  ]);
});
