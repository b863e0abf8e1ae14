import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { person } from '../../src/core/actor.ts';
import type { EventBody } from '../../src/core/event.ts';
import type { Owner } from '../../src/core/ownership.ts';
import type { SessionId } from '../../src/core/session.ts';
import { overdrawn } from '../../src/daemon/owners/tree-budget.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import { sqliteJournal } from '../../src/journal/sqlite.ts';
import { COMMAND_SPEC } from '../../src/testing/spec.ts';

// How a journal of an earlier version is read, and how few sessions are read to look at a tree.

const ended: EventBody = { type: 'session.ended', outcome: { kind: 'done', exit: { status: 0 } } };

/** Undoes the schema that tells tokens apart. */
const NO_KINDS = ['input', 'output', 'cache_read', 'cache_write']
  .map((column) => `ALTER TABLE usage DROP COLUMN ${column};`)
  .join('');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outlast-upgrade-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (): string => join(folder, 'outlast.db');

function ownedBy(root: string, session = root): Owner {
  const owner = { session: session as SessionId, root: root as SessionId };
  return { ...owner, depth: 1, wake: false, onEnd: 'keep', isRemoved: false };
}

function append(journal: Journal, session: string, afterSeq: number, ...events: EventBody[]): void {
  journal.append({ session: session as SessionId, afterSeq, events, cause: null, atMs: 1_000, steadyMs: 5 });
}

function create(journal: Journal, session: string, owner?: Owner): void {
  const spec = { ...COMMAND_SPEC, name: session, ...(owner && { owner }) };
  append(journal, session, 0, { type: 'session.created', spec });
}

/** Changes the file behind the back of the journal. */
function change(sql: string): void {
  using db = new DatabaseSync(path());
  db.exec(sql);
}

test('a row that a migration emptied is rebuilt from the events, once', () => {
  const before = sqliteJournal(path());
  for (const name of ['a', 'b', 'c']) create(before, name);
  for (const name of ['a', 'b']) append(before, name, 1, ended);
  const rows = before.list({ state: 'all', limit: 9 });
  before.close();
  change("UPDATE sessions SET state = ''");
  const first = sqliteJournal(path());
  expect(first.list({ state: 'all', limit: 9 })).toEqual(rows);
  // Now there is nothing left to rebuild them from.
  change('DELETE FROM events');
  expect(first.list({ state: 'all', limit: 9 })).toEqual(rows);
  first.close();
  const second = sqliteJournal(path());
  expect(second.list({ state: 'ended', limit: 9 }).map(({ session }) => session.id)).toEqual(['b', 'a']);
  expect(second.find('c')).toMatchObject({ live: true, session: { seq: 1 } });
  second.close();
});

test('a row that was rebuilt from damaged events is not stored: the session would seem live again', () => {
  const before = sqliteJournal(path());
  create(before, 'a');
  append(before, 'a', 1, ended);
  before.close();
  change("UPDATE sessions SET state = ''; UPDATE events SET crc = 0 WHERE seq = 2");
  const after = sqliteJournal(path());
  for (const _ of [1, 2]) expect(after.find('a')?.unreadableAt).toBe(2);
  expect(after.live()).toEqual([]);
  // The write finds the damaged record in the middle of its transaction.
  expect(() => append(after, 'a', 2, ended)).not.toThrow();
  after.close();
});

test.each([
  { name: 'memory', make: () => memoryJournal() },
  { name: 'sqlite', make: () => sqliteJournal(path()) },
])('the tree of a session in the $name journal has every session of which it is the root', ({ make }) => {
  const journal = make();
  create(journal, 'root');
  create(journal, 'child', ownedBy('root'));
  create(journal, 'grandchild', ownedBy('root', 'child'));
  create(journal, 'other', ownedBy('else'));
  create(journal, 'moved', ownedBy('else'));
  append(journal, 'moved', 1, { type: 'owner.changed', owner: ownedBy('root') });
  create(journal, 'freed', ownedBy('root'));
  append(journal, 'freed', 1, { type: 'owner.changed', owner: null });
  append(journal, 'child', 1, ended, { type: 'session.removed', by: person('ann') });
  const ids = journal.tree('root' as SessionId).map(({ session }) => session.id);
  expect(ids.toSorted()).toEqual(['child', 'grandchild', 'moved', 'root']);
  journal.close();
});

test('a journal of the previous version knows its trees, also after changes of owners', () => {
  const before = sqliteJournal(path());
  create(before, 'root');
  create(before, 'child', ownedBy('root'));
  create(before, 'moved', ownedBy('else'));
  append(before, 'moved', 1, { type: 'owner.changed', owner: null }, { type: 'owner.changed', owner: ownedBy('root') });
  create(before, 'freed', ownedBy('root'));
  append(before, 'freed', 1, { type: 'owner.changed', owner: null });
  before.close();
  change('DROP TABLE schedules; DROP TABLE schedule_events');
  change(NO_KINDS);
  change('DROP INDEX sessions_by_root; ALTER TABLE sessions DROP COLUMN root; PRAGMA user_version = 12');
  const after = sqliteJournal(path());
  const ids = after.tree('root' as SessionId).map(({ session }) => session.id);
  expect(ids.toSorted()).toEqual(['child', 'moved', 'root']);
  after.close();
});

test('whether a tree has used up its budget is found by reading the sessions of that tree only', () => {
  const journal = sqliteJournal(path());
  create(journal, 'root');
  create(journal, 'child', ownedBy('root'));
  for (let i = 0; i < 200; i += 1) create(journal, `other-${i}`, ownedBy(`else-${i % 7}`));
  for (let i = 0; i < 200; i += 1) append(journal, `other-${i}`, 1, ended);
  const child = journal.find('child')?.session;
  const limits = { depthMax: 1, childrenMax: 1, agents: [], chainMax: 1 };
  const budget = { turns: 1, tokens: null, usd: null };
  const parsed = vi.spyOn(JSON, 'parse');
  expect(child && overdrawn(journal, child, { ...limits, budget })).toBeNull();
  const reads = parsed.mock.calls.length;
  parsed.mockRestore();
  expect(reads).toBe(2);
  journal.close();
});

test('usage of a version that did not tell tokens apart has no kinds, and what is added to it has', () => {
  const byKind = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
  const counted = (tokens: number, kinds?: typeof byKind): EventBody => ({
    ...{ type: 'usage.counted', prompt: null, usage: { turns: 0, tokens, usd: null } },
    by: [{ model: 'm', tokens: 10, usd: null, byKind: kinds }],
  });
  const before = sqliteJournal(path());
  create(before, 'a');
  append(before, 'a', 1, counted(10));
  before.close();
  change(`${NO_KINDS} PRAGMA user_version = 15`);
  const after = sqliteJournal(path());
  append(after, 'a', 2, counted(20, byKind));
  expect(after.usage(0).map(({ tokens, byKind }) => [tokens, byKind])).toEqual([
    [10, undefined],
    [10, byKind],
  ]);
  after.close();
});
