import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EventBody } from '../../src/core/event.ts';
import type { SessionId } from '../../src/core/session.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { sqliteJournal } from '../../src/journal/sqlite.ts';
import { COMMAND_SPEC } from '../../src/testing/spec.ts';

// What a journal of an earlier version costs when it is read.

const ended: EventBody = { type: 'session.ended', outcome: { kind: 'done', exit: { status: 0 } } };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outlast-upgrade-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (): string => join(folder, 'outlast.db');

function append(journal: Journal, session: string, afterSeq: number, ...events: EventBody[]): void {
  journal.append({ session: session as SessionId, afterSeq, events, cause: null, atMs: 1_000, steadyMs: 5 });
}

function create(journal: Journal, session: string): void {
  append(journal, session, 0, { type: 'session.created', spec: { ...COMMAND_SPEC, name: session } });
}

/** Changes the file as no code of ours does. */
function change(sql: string): void {
  using db = new DatabaseSync(path());
  db.exec(sql);
}

test('a line that a migration emptied is made again from the events once', () => {
  const before = sqliteJournal(path());
  for (const name of ['a', 'b', 'c']) create(before, name);
  for (const name of ['a', 'b']) append(before, name, 1, ended);
  const rows = before.list({ state: 'all', limit: 9 });
  before.close();
  change("UPDATE sessions SET state = ''");
  const first = sqliteJournal(path());
  expect(first.list({ state: 'all', limit: 9 })).toEqual(rows);
  // There is nothing left to make them from.
  change('DELETE FROM events');
  expect(first.list({ state: 'all', limit: 9 })).toEqual(rows);
  first.close();
  const second = sqliteJournal(path());
  expect(second.list({ state: 'ended', limit: 9 }).map(({ session }) => session.id)).toEqual(['b', 'a']);
  expect(second.find('c')).toMatchObject({ live: true, session: { seq: 1 } });
  second.close();
});

test('a line that damage cut short is not kept: the session would seem to live again', () => {
  const before = sqliteJournal(path());
  create(before, 'a');
  append(before, 'a', 1, ended);
  before.close();
  change("UPDATE sessions SET state = ''; UPDATE events SET crc = 0 WHERE seq = 2");
  const after = sqliteJournal(path());
  for (const _ of [1, 2]) expect(after.find('a')?.unreadableAt).toBe(2);
  expect(after.live()).toEqual([]);
  // A write finds the record damaged in the middle of its transaction.
  expect(() => append(after, 'a', 2, ended)).not.toThrow();
  after.close();
});
