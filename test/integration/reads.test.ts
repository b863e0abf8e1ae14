import { expect, test } from 'vitest';
import type { EventBody, Input, InputId } from '../../src/core/event.ts';
import type { Owner } from '../../src/core/ownership.ts';
import type { Session, SessionId } from '../../src/core/session.ts';
import { sessionAcknowledge as seen } from '../../src/daemon/calls/session-acknowledge.ts';
import type { Parts } from '../../src/daemon/serve/parts.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import { SessionWriter } from '../../src/supervisor/session-writer.ts';
import { TURNS } from '../../src/testing/sessions.ts';

// A session whose end the owner has read causes no update, whether the update was queued already or is still to come.

const BOSS = 'boss' as SessionId;
const KID = 'kid' as SessionId;
const OWNER: Owner = { session: BOSS, root: BOSS, depth: 1, wake: true, onEnd: 'keep', isRemoved: false };

function world() {
  const journal = memoryJournal();
  const clock = { wallMs: () => 0, steadyMs: () => 0, sleep: () => Promise.resolve() };
  const create = (id: SessionId, owner: Owner | null): void =>
    void SessionWriter.create(journal, clock, {
      id,
      spec: owner === null ? TURNS : { ...TURNS, owner },
      cause: `start:${id}` as InputId,
      boot: null,
    });
  create(BOSS, null);
  create(KID, OWNER);
  const writer = (id: SessionId): SessionWriter => {
    const found = SessionWriter.open(journal, clock, id);
    if (!(found instanceof SessionWriter)) throw new Error(`${id} cannot be read`);
    return found;
  };
  let inputs = 0;
  const take = ({ id }: Session, input: Input, cause = `i${inputs++}` as InputId): void =>
    void writer(id).submit(cause, input);
  const find = (id: string) => journal.find(id as SessionId);
  const notices = { read: () => {} };
  const parts = { journal, notices, sessions: { find, submit: take } } as unknown as Parts;
  const happens = (body: EventBody): number => {
    writer(KID).append([body], null);
    return journal.head();
  };
  return {
    happens,
    ends: () => happens({ type: 'session.ended', outcome: { kind: 'done', exit: null } }),
    /** Reports to an owner as the reader of the journal does. */
    tells: (position: number, event = 'session.ended') =>
      take(writer(BOSS).session, wakeOf(position, event), `wake:${position}` as InputId),
    reads: (run: string | null, position?: number) =>
      seen(parts, { session: KID, caller: { pid: 0, start: null, run }, ...(position !== undefined && { position }) }),
    news: () => writer(BOSS).session.updates.queued.map(({ position }) => position),
  };
}

function wakeOf(position: number, event: string): Input {
  return { type: 'update', from: KID, position, event, text: '- kid', isUrgent: true, begunMs: 0 };
}

test('queued updates are dropped', () => {
  const { ends, tells, reads, news } = world();
  const position = ends();
  tells(position);
  expect([reads('boss.1'), news()]).toEqual([{ count: 1 }, []]);
  tells(position);
  expect([reads('boss.1'), news()]).toEqual([{ count: 0 }, []]);
});

test('updates that are still to come are suppressed', () => {
  const { ends, tells, reads, news } = world();
  const position = ends();
  expect(reads('boss.1')).toEqual({ count: 0 });
  tells(position);
  expect(news()).toEqual([]);
});

test('a read by another caller does not count for the owner, and neither does one before the end', () => {
  const { ends, tells, reads, news, happens } = world();
  expect(reads('boss.1')).toEqual({ count: 0 });
  const position = ends();
  tells(position);
  expect([reads(null), reads('other.1'), reads('kid.1'), news()]).toEqual([
    ...[{ count: 0 }, { count: 0 }, { count: 0 }],
    [position],
  ]);
  // Something may be written about a session that has ended.
  happens({ type: 'owner.changed', owner: OWNER });
  expect([reads('boss.1'), news()]).toEqual([{ count: 1 }, []]);
});

test('an answer that was read causes no update, and what came after it does', () => {
  const { happens, tells, reads, news, ends } = world();
  const answer = happens({ type: 'prompt.queued', prompt: 'p1' as never, text: 'x' });
  tells(answer, 'prompt.answered');
  const end = ends();
  tells(end);
  expect([reads('boss.1', answer), news()]).toEqual([{ count: 1 }, [end]]);
});
