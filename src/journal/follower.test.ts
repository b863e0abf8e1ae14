import { expect, test, vi } from 'vitest';
import { realClock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { SessionId } from '../core/session.ts';
import { COMMAND_SPEC } from '../testing/spec.ts';
import { type FollowedJournal, Follower, type FollowerWork, isFirstStart } from './follower.ts';
import type { Entry, Position } from './journal.ts';
import { memoryJournal } from './memory-journal.ts';

const clock = realClock();
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 30_000 });

function append(journal: ReturnType<typeof memoryJournal>): Position {
  const session = newId(1) as SessionId;
  const events = [{ type: 'session.created', spec: COMMAND_SPEC }] as const;
  return journal.append({ session, afterSeq: 0, events, cause: null, atMs: 1, steadyMs: 1 }) as Position;
}

/** A follower that records the positions it was given. */
function following(journal: FollowedJournal, work: Partial<FollowerWork> = {}) {
  const seen: number[] = [];
  const trouble: unknown[] = [];
  const follower = new Follower(journal, clock, {
    name: 'test',
    isNew: false,
    handlePage: async (page) => {
      seen.push(...page.map(({ position }) => position));
      return { upTo: page.at(-1)?.position ?? null, save: false };
    },
    onTrouble: (error) => trouble.push(error),
    ...work,
  });
  const done = follower.run();
  const stop = (): Promise<void> => {
    follower.stop();
    return done;
  };
  return { follower, seen, trouble, stop };
}

test('a follower gets events from before and after its start, and the next one continues from there', async () => {
  const journal = memoryJournal();
  append(journal);
  const first = following(journal);
  await until(() => expect(first.seen).toEqual([1]));
  append(journal);
  await until(() => expect(first.seen).toEqual([1, 2]));
  await first.stop();
  append(journal);
  const second = following(journal);
  await until(() => expect(second.seen).toEqual([3]));
  await second.stop();
});

test('a new follower starts after the newest event, and only the first time', async () => {
  const journal = memoryJournal();
  append(journal);
  const first = following(journal, { isNew: isFirstStart(journal, 'test') });
  append(journal);
  await until(() => expect(first.seen).toEqual([2]));
  await first.stop();
  expect(isFirstStart(journal, 'test')).toBe(false);
});

test('events that were not handled are given again, and handled ones are not', async () => {
  const journal = memoryJournal();
  for (let i = 0; i < 3; i += 1) append(journal);
  const given: number[][] = [];
  const one = following(journal, {
    handlePage: async (page) => {
      given.push(page.map(({ position }) => position));
      return { upTo: page[0]?.position ?? null, save: true };
    },
  });
  await until(() => expect(one.follower.position).toBe(3));
  expect(given).toEqual([[1, 2, 3], [2, 3], [3]]);
  await one.stop();
});

test('work that throws is reported and tried again with the same events', async () => {
  const journal = memoryJournal();
  append(journal);
  let tries = 0;
  const one = following(journal, {
    handlePage: async (page: readonly Entry[]) => {
      tries += 1;
      if (tries === 1) throw new Error('disk full');
      return { upTo: page.at(-1)?.position ?? null, save: true };
    },
  });
  await until(() => expect(one.follower.position).toBe(1));
  expect(one.trouble.map(String)).toEqual(['Error: disk full']);
  expect(tries).toBe(2);
  await one.stop();
});

test('unreadable rows at the end of the journal do not block a follower forever', async () => {
  const journal = memoryJournal();
  append(journal);
  const unreadable = { ...bound(journal), read: () => [] };
  const one = following(unreadable);
  await until(() => expect(one.follower.position).toBe(journal.head()));
  await one.stop();
});

test('a follower that drains handles what is left when it is stopped, and a held position is not saved', async () => {
  const journal = memoryJournal();
  const calls: boolean[] = [];
  const one = following(journal, {
    ...{ drains: true, coalesceMs: 60_000, holdsPosition: () => true },
    caughtUp: async (isLast) => {
      calls.push(isLast);
      return Number.POSITIVE_INFINITY;
    },
  });
  append(journal);
  await one.stop();
  expect(one.seen).toEqual([1]);
  expect(calls.at(-1)).toBe(true);
  expect(journal.cursor('test')).toBe(0);
});

function bound(journal: ReturnType<typeof memoryJournal>): FollowedJournal {
  return {
    read: (...args) => journal.read(...args),
    head: () => journal.head(),
    cursor: (name) => journal.cursor(name),
    saveCursor: (name, position) => journal.saveCursor(name, position),
    onAppend: (look) => journal.onAppend(look),
    fact: (key) => journal.fact(key),
    saveFact: (key, value) => journal.saveFact(key, value),
  };
}
