import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import type { InputId } from '../../src/core/event.ts';
import type { Session, SessionId, Spec } from '../../src/core/session.ts';
import { ChildUpdates } from '../../src/daemon/owners/child-updates.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import { SessionWriter } from '../../src/supervisor/session-writer.ts';
import { TURNS } from '../../src/testing/sessions.ts';
import { COMMAND_SPEC } from '../../src/testing/spec.ts';
import { eventually } from '../eventually.ts';

/** Two owners; what is written for each of them is counted. */
function world() {
  const [journal, clock] = [memoryJournal(), realClock()];
  const create = (name: string, spec: Spec): void =>
    void SessionWriter.create(journal, clock, {
      id: name as SessionId,
      spec,
      cause: `start:${name}` as InputId,
      boot: null,
    });
  const writer = (id: SessionId): SessionWriter => {
    const found = SessionWriter.open(journal, clock, id);
    if (!(found instanceof SessionWriter)) throw new Error(`${id} cannot be read`);
    return found;
  };
  const readable = (id: SessionId): Session | null => journal.find(id)?.session ?? null;
  const writes: string[] = [];
  for (const name of ['ann', 'bob']) create(name, { ...TURNS, name, keepOpen: true });
  const wakes = new ChildUpdates({
    ...{ journal, clock, state: tmpdir(), describe: readable, actions: () => [] },
    log: (message) => void writes.push(message),
    submit: (id, cause, input) => void writer(id).submit(cause, input),
    takeAll: (id, inputs) => {
      writes.push(id);
      writer(id).submitAll(inputs);
    },
    live: () => journal.live().flatMap((id) => readable(id) ?? []),
    nudge: () => {},
    remove: () => Promise.resolve(),
  });
  return {
    writes,
    wakes,
    /** A command that this owner started, and that failed. */
    fails: (name: string, owner: string): void => {
      const session = owner as SessionId;
      const of = { session, root: session, depth: 1, wake: true, onEnd: 'keep', isRemoved: false } as const;
      create(name, { ...COMMAND_SPEC, name, owner: of });
      const outcome = { kind: 'done', exit: { status: 1 } } as const;
      writer(name as SessionId).append([{ type: 'session.ended', outcome }], null);
    },
    queuedUpdates: (owner: string): number => readable(owner as SessionId)?.updates.queued.length ?? 0,
  };
}

test('a thousand updates for one owner are few writes, and do not delay other work', async () => {
  const { wakes, fails, queuedUpdates, writes } = world();
  for (let i = 0; i < 1_000; i += 1) fails(`kid-${i}`, 'ann');
  fails('other', 'bob');
  wakes.start();
  await eventually(() => queuedUpdates('bob') === 1, { what: 'the update for bob' });
  expect(queuedUpdates('ann')).toBe(1_000);
  expect(writes.filter((owner) => owner === 'ann').length).toBeLessThan(10);
  expect(writes.at(-1)).toBe('bob');
  await wakes.stop();
});
