import { expect, test } from 'vitest';
import type { Journal, Row } from '../../journal/journal.ts';
import { oursIn } from './ours.ts';

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
