import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import type { EventBody, InputId } from '../../src/core/event.ts';
import type { SessionId } from '../../src/core/session.ts';
import type { Journal, ListQuery, Position } from '../../src/journal/journal.ts';
import { sqliteJournal } from '../../src/journal/sqlite.ts';
import { COMMAND_SPEC } from '../../src/testing/spec.ts';

const ID = newId(1_700_000_000_000) as SessionId;
const created: EventBody = { type: 'session.created', spec: { ...COMMAND_SPEC, name: 'build' } };

/** The plan of every statement that is prepared while the journal does this, by the text of the statement. */
function plansOf(work: (journal: Journal) => void): Map<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-plans-'));
  const path = join(folder, 'outlast.db');
  try {
    const before = sqliteJournal(path);
    before.append({ session: ID, afterSeq: 0, events: [created], cause: null, atMs: 1, steadyMs: 1 });
    before.close();
    // A new journal, which has prepared no statement yet.
    const journal = sqliteJournal(path);
    const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
    work(journal);
    const texts = prepared.mock.calls.map(([text]) => text);
    prepared.mockRestore();
    journal.close();
    using db = new DatabaseSync(path, { readOnly: true });
    const planOf = (text: string): string[] =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${text}`)
        .all()
        .map(({ detail }) => String(detail));
    return new Map(texts.map((text) => [text, planOf(text)]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const list = (state: ListQuery['state']) => (journal: Journal) => journal.list({ state, limit: 10 });
const append = (journal: Journal): unknown =>
  journal.append({ session: ID, afterSeq: 1, events: [], cause: 'c' as InputId, atMs: 1, steadyMs: 1 });

/** Every query of the journal, and the index that its statement must use. */
const LOOKUPS: readonly (readonly [name: string, work: (journal: Journal) => unknown, by: RegExp])[] = [
  ['a session by its name', (j) => j.find('build'), /sessions_by_name \(name=\? AND removed=\?\)/],
  ['an unknown name', (j) => j.find('nobody'), /sessions_by_name \(name=\? AND removed=\?\)/],
  ['a session by its id', (j) => j.find(newId(1)), /sessions USING PRIMARY KEY \(id=\?\)/],
  ['the beginning of an id', (j) => j.beginning(ID.slice(0, 8), 2), /sessions USING PRIMARY KEY \(id>\? AND id<\?\)/],
  ['the events of all', (j) => j.read(0 as Position, 9), /INTEGER PRIMARY KEY \(rowid>\?\)/],
  ['the events of one', (j) => j.read(0 as Position, 9, ID), /events_by_session \(session=\? AND rowid>\?\)/],
  ['a session from its beginning', (j) => j.session(ID), /autoindex_events_1 \(session=\?\)/],
  ['one event', (j) => j.event(ID, 1), /autoindex_events_1 \(session=\? AND seq=\?\)/],
  ['whether a session is known', (j) => j.knows(ID), /sessions USING PRIMARY KEY \(id=\?\)/],
  ['an input', (j) => j.taken('c' as InputId), /inputs USING PRIMARY KEY \(id=\?\)/],
  ['what is live', (j) => j.live(), /COVERING INDEX sessions_by_state \(removed=\? AND live=\?\)/],
  ['the newest position', (j) => j.head(), /SEARCH events/],
  ['a list of the live', list('live'), /sessions_by_state \(removed=\? AND live=\? AND id<\?\)/],
  ['a list of the ended', list('ended'), /sessions_by_state \(removed=\? AND live=\? AND id<\?\)/],
  ['a list of all', list('all'), /sessions USING PRIMARY KEY \(id<\?\)/],
  ['a list of every one', list('every'), /sessions USING PRIMARY KEY \(id<\?\)/],
  ['a tree of owners', (j) => j.tree(ID), /sessions_by_root \(root=\?\)/],
  ['resumes', (j) => j.resumes(1), /sessions_by_resume \(resumed_steady_ms>\?\)/],
  ['how many there are', (j) => j.count(), /COVERING INDEX sessions_by_state \(removed=\?\)/],
  ['a cursor', (j) => j.cursor('r'), /cursors USING PRIMARY KEY \(reader=\?\)/],
  ['a purge', (j) => j.purge(1), /cursors USING PRIMARY KEY \(reader>\? AND reader<\?\)/],
  ['the audit', (j) => j.audit({ after: 0, limit: 9 }), /INTEGER PRIMARY KEY \(rowid>\?\)/],
  ['the audit of one', (j) => j.audit({ after: 0, limit: 9, approval: 'a' }), /audit_by_approval \(approval=\?/],
  ['the head of the audit', (j) => j.auditHead(), /INTEGER PRIMARY KEY \(rowid=\?\)/],
  ['usage', (j) => j.usage(1), /usage_by_time \(at_ms>\?\)/],
  ['a fact', (j) => j.fact('boot'), /facts USING PRIMARY KEY \(key=\?\)/],
  ['an append', append, /inputs USING PRIMARY KEY \(id=\?\)/],
];

/** A table function reads the row before it, not a table. */
const isScan = (line: string): boolean => line.startsWith('SCAN') && !line.includes('VIRTUAL TABLE');

test.each(LOOKUPS)('T-SPEED-1: %s is found by its index', (_name, work, by) => {
  const plans = plansOf(work);
  const lines = [...plans.values()].flat();
  expect(lines.filter(isScan)).toEqual([]);
  expect(lines.filter((line) => line.includes('TEMP B-TREE'))).toEqual([]);
  expect(lines.join('\n')).toMatch(by);
});

test('T-SPEED-1: an id is never looked up as a name', () => {
  expect([...plansOf((journal) => journal.find(newId(1))).keys()].join('\n')).not.toContain('name = ?');
});

test('T-SPEED-1: every query of the journal is tested here', () => {
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(plansJournal())).filter(
    (name) => name !== 'constructor',
  );
  const tried = LOOKUPS.map(([, work]) => String(work)).join('\n');
  const untried = own.filter((name) => !new RegExp(`\\.${name}\\(`).test(tried));
  // These read nothing, write one row by its key, or copy everything.
  expect(untried.sort()).toEqual(['close', 'note', 'onAppend', 'saveAs', 'saveCursor', 'saveFact']);
});

function plansJournal(): Journal {
  const journal = sqliteJournal(':memory:');
  journal.close();
  return journal;
}
