import { expect, test } from 'vitest';
import type { Journal, Row } from '../../journal/journal.ts';
import { ourAgentsIn, oursIn } from './ours.ts';

const MINUTE_MS = 60_000;
const ENDED_MS = 1_000 * MINUTE_MS;

function row(id: string, conversation: string, endedAtMs: number | null): Row {
  return {
    session: { id, conversation: { id: conversation }, spec: { name: id } },
    live: endedAtMs === null,
    endedAtMs,
  } as unknown as Row;
}

function journal(...rows: Row[]): Pick<Journal, 'list'> {
  return { list: ({ state }) => rows.filter(({ live }) => live === (state === 'live')) };
}

test('a conversation is ours while its session is live, and afterwards until someone else continues it', () => {
  const ours = oursIn(journal(row('now', 'c1', null), row('before', 'c2', ENDED_MS)));
  expect(ours('c1', ENDED_MS + 90 * MINUTE_MS)).toBe('session now handles it');
  expect(ours('c2', ENDED_MS - MINUTE_MS)).toBe('it is session before: outlast resume before');
  // An agent may write its last records a moment late.
  expect(ours('c2', ENDED_MS + 1_000)).toBe('it is session before: outlast resume before');
  expect(ours('c2', ENDED_MS + 2 * MINUTE_MS)).toBe(null);
  expect(ours('c3', ENDED_MS)).toBe(null);
});

test('a live session is not hidden by a newer ended session of the same conversation', () => {
  const ours = oursIn(journal(row('newer', 'c', ENDED_MS), row('older', 'c', null)));
  expect(ours('c', ENDED_MS + 2 * MINUTE_MS)).toBe('session older handles it');
});

test('a process is an agent of ours by its pid and its marker, while nobody visits its screen', () => {
  const session = (id: string, at: string, exit: object | null = null): Row =>
    ({
      session: { id, phase: { at }, spec: { conversation: {} }, run: { pid: Number(id), exit } },
      live: true,
    }) as never;
  const rows = journal(
    session('1', 'working'),
    session('2', 'visited'),
    session('3', 'idle', {}),
    session('4', 'idle'),
  );
  const markers = new Map([
    [1, '1.1'],
    [2, '2.1'],
    [3, '3.1'],
    [4, '5.1'],
  ]);
  const isOurs = ourAgentsIn(rows, (pid) => markers.get(pid));
  expect([1, 2, 3, 4, 5].filter(isOurs)).toEqual([1]);
});
