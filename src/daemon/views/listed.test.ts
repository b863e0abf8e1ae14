import { expect, test } from 'vitest';
import { newId } from '../../base/ids.ts';
import type { EventBody } from '../../core/event.ts';
import type { SessionId } from '../../core/session.ts';
import type { ListQuery } from '../../journal/journal.ts';
import { memoryJournal } from '../../journal/memory-journal.ts';
import { COMMAND_SPEC } from '../../testing/spec.ts';
import { listed } from './listed.ts';

const DONE = { type: 'session.ended', outcome: { kind: 'done', exit: { status: 0 } } } as const;

/** A journal of this many ended sessions and one live session, and how many rows were read from it. */
function counted(ended: number) {
  const journal = memoryJournal();
  for (let i = 0; i <= ended; i += 1) {
    const spec = { ...COMMAND_SPEC, agent: i === 0 ? 'first' : 'command' };
    const events: EventBody[] = [{ type: 'session.created', spec }, ...(i < ended ? [DONE] : [])];
    journal.append({ session: newId(i + 1) as SessionId, afterSeq: 0, events, cause: null, atMs: 1, steadyMs: 1 });
  }
  const read = { rows: 0 };
  const parts = {
    journal: {
      find: (word: string) => journal.find(word),
      list: (query: ListQuery) => {
        const page = journal.list(query);
        read.rows += page.length;
        return page;
      },
    },
    sessions: { find: () => expect.unreachable() },
    clock: { wallMs: () => 1 },
    isBelow: () => false,
  };
  return { parts, read };
}

test('a page is read without the rows after it, however many there are', () => {
  const { parts, read } = counted(2_000);
  expect(listed(parts, { state: 'all', limit: 11 })).toHaveLength(11);
  expect(read.rows).toBeLessThanOrEqual(1 + 11);
});

test('a match that is on no early page is found', () => {
  const { parts } = counted(2_000);
  expect(listed(parts, { state: 'all', agent: 'first', limit: 11 })).toHaveLength(1);
});

test('a limit larger than one page returns several pages', () => {
  const { parts } = counted(2_000);
  expect(listed(parts, { state: 'all', limit: 1_500 })).toHaveLength(1_500);
  expect(listed(parts, { state: 'ended', limit: 3_000 })).toHaveLength(2_000);
});
