import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { person } from '../../src/core/actor.ts';
import type { EventBody, InputId } from '../../src/core/event.ts';
import type { SessionId, Spec } from '../../src/core/session.ts';
import { feed } from '../../src/journal/feed.ts';
import type { Journal, Position, Write } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import { sqliteJournal } from '../../src/journal/sqlite.ts';
import { COMMAND_SPEC } from '../../src/testing/spec.ts';

/** Undoes the schema that tells tokens apart. */
const NO_KINDS = ['input', 'output', 'cache_read', 'cache_write']
  .map((column) => `ALTER TABLE usage DROP COLUMN ${column};`)
  .join('');

const spec: Spec = { ...COMMAND_SPEC, name: 'build' };
const created: EventBody = { type: 'session.created', spec };
const ended: EventBody = { type: 'session.ended', outcome: { kind: 'done', exit: { status: 0 } } };

function write(session: string, afterSeq: number, events: EventBody[], cause: string | null = null): Write {
  return { session: session as SessionId, afterSeq, events, cause: cause as InputId | null, atMs: 1_000, steadyMs: 5 };
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outlast-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (): string => join(folder, 'outlast.db');
const kinds: { name: string; make: () => Journal }[] = [
  { name: 'memory', make: () => memoryJournal() },
  { name: 'sqlite', make: () => sqliteJournal(path()) },
];

describe.each(kinds)('the $name journal', ({ make }) => {
  test('gives positions that grow, and events in order', () => {
    const journal = make();
    const first = journal.append(write('a', 0, [created]));
    const second = journal.append(write('b', 0, [created, ended]));
    expect(second).toBeGreaterThan(Number(first));
    expect(journal.read(0 as Position, 10).map(({ event }) => `${event.session}${event.seq}`)).toEqual([
      'a1',
      'b1',
      'b2',
    ]);
    expect(journal.read(first as Position, 1).map(({ event }) => event.session)).toEqual(['b']);
    expect(journal.head()).toBe(second);
    journal.close();
  });

  test('keeps writes to one session together, each under its own cause', () => {
    const journal = make();
    journal.append(write('a', 0, [created]));
    const warned = (seq: number): Write =>
      write('a', seq, [{ type: 'run.starting', run: seq, how: 'launch', boot: 'b' }], `i${seq}`);
    const looked: string[] = [];
    const leave = journal.onAppend((session) => looked.push(session));
    const last = journal.append(warned(1), warned(2), write('a', 3, [], 'nothing'), warned(3));
    leave();
    expect(journal.read(0 as Position, 10).map(({ event }) => [event.seq, event.cause?.id ?? null])).toEqual([
      [1, null],
      [2, 'i1'],
      [3, 'i2'],
      [4, 'i3'],
    ]);
    expect([last, looked]).toEqual([journal.head(), ['a']]);
    expect(journal.find('a')?.session.seq).toBe(4);
    expect(journal.taken('nothing' as InputId)).toBe('a');
    expect(journal.append(warned(1), warned(2))).toBe('seen');
    expect(journal.head()).toBe(last);
    journal.close();
  });

  test('keeps usage, by model, also when its session is gone', () => {
    const journal = make();
    const removed: EventBody = { type: 'session.removed', by: { is: 'program', name: 'caller' } };
    const counted = (turns: number, tokens: number, usd: number | null): EventBody => ({
      type: 'usage.counted',
      prompt: null,
      usage: { turns, tokens, usd },
    });
    const by = [
      { model: 'x', tokens: 4, usd: 0.25, byKind: { input: 2, output: 1, cacheRead: 1, cacheWrite: 0 } },
      { model: 'y', tokens: 1, usd: null },
    ];
    journal.append(write('a', 0, [created, counted(1, 10, 0.5), { ...counted(2, 15, 0.75), by } as EventBody]));
    journal.append({ ...write('a', 3, [ended, removed]), atMs: 2_000 });
    journal.append({ ...write('b', 0, [created, counted(1, 7, null)]), atMs: 3_000 });
    expect(journal.purge(9_000)).toBe(5);
    const rows = journal.usage(0).map(({ session, name, model, turns, tokens, usd }) => [
      [session, name, model],
      [turns, tokens, usd],
    ]);
    expect(journal.usage(0).map(({ byKind }) => byKind)).toEqual([
      undefined,
      { input: 2, output: 1, cacheRead: 1, cacheWrite: 0 },
      undefined,
      undefined,
    ]);
    expect(rows).toEqual([
      [
        ['a', 'build', null],
        [1, 10, 0.5],
      ],
      [
        ['a', 'build', 'x'],
        [1, 4, 0.25],
      ],
      [
        ['a', 'build', 'y'],
        [0, 1, null],
      ],
      [
        ['b', 'build', null],
        [1, 7, null],
      ],
    ]);
    expect(journal.usage(3_000).map(({ atMs }) => atMs)).toEqual([3_000]);
    journal.close();
  });

  test('counts the resumes of all sessions, also of ended and removed ones', () => {
    const journal = make();
    const fault: EventBody = {
      type: 'run.faulted',
      run: 1,
      fault: { kind: 'exited', exit: { status: 1 } },
      retryAtMs: 0,
    };
    const started: EventBody = { type: 'run.starting', run: 1, how: 'launch', boot: 'b' };
    const at = (steadyMs: number, given: Write): Write => ({ ...given, steadyMs });
    journal.append(at(10, write('a', 0, [created, started, fault, started])));
    journal.append(at(20, write('a', 4, [fault, started])));
    journal.append(at(30, write('b', 0, [created, started, fault, started])));
    journal.append(at(40, write('b', 4, [ended, { type: 'session.removed', by: { is: 'program', name: 'caller' } }])));
    journal.append(at(50, write('c', 0, [created, started])));
    expect([0, 10, 11, 21, 31].map((sinceMs) => journal.resumes(sinceMs))).toEqual([3, 3, 2, 1, 0]);
    journal.close();
  });

  test('records each input once, also one without events', () => {
    const journal = make();
    journal.append(write('a', 0, [created], 'start'));
    expect(journal.append(write('a', 0, [created], 'start'))).toBe('seen');
    expect(journal.append(write('a', 1, [], 'late report'))).not.toBe('seen');
    expect(journal.append(write('a', 1, [ended], 'late report'))).toBe('seen');
    expect(journal.session('a' as SessionId).events.length).toBe(1);
    expect(journal.taken('start' as InputId)).toBe('a');
    expect(journal.taken('other' as InputId)).toBeNull();
    journal.close();
  });

  test('reports for every write which session it was about, and nothing for a write without a change', () => {
    const journal = make();
    const appended: string[] = [];
    const leave = journal.onAppend((session) => appended.push(session));
    journal.append(write('a', 0, [created], 'c1'));
    journal.append(write('b', 0, [created]));
    journal.append(write('a', 1, [ended], 'c1'));
    leave();
    journal.append(write('a', 1, [ended]));
    expect(appended).toEqual(['a', 'b']);
    journal.close();
  });

  test('refuses a write that was decided on an older state', () => {
    const journal = make();
    journal.append(write('a', 0, [created]));
    expect(journal.append(write('a', 0, [ended]))).toBe('stale');
    expect(journal.live()).toEqual(['a']);
    journal.close();
  });

  test('lists newest first, by state, page by page', () => {
    const journal = make();
    for (const id of ['a', 'b', 'c']) journal.append(write(id, 0, [created]));
    journal.append(write('b', 1, [ended]));
    const ids = (query: Parameters<Journal['list']>[0]): string[] => journal.list(query).map((row) => row.session.id);
    expect(ids({ state: 'all', limit: 10 })).toEqual(['c', 'b', 'a']);
    expect(ids({ state: 'live', limit: 10 })).toEqual(['c', 'a']);
    expect(ids({ state: 'ended', limit: 10 })).toEqual(['b']);
    expect(ids({ state: 'all', limit: 1, before: 'c' })).toEqual(['b']);
    expect(journal.count()).toEqual({ live: 2, all: 3 });
    journal.close();
  });

  test('finds a name among the live first, then the newest that ended', () => {
    const journal = make();
    journal.append(write('a', 0, [created, ended]));
    journal.append(write('b', 0, [created, ended]));
    expect(journal.find('build')?.session.id).toBe('b');
    journal.append(write('c', 0, [created]));
    journal.append(write('d', 0, [created, ended]));
    expect(journal.find('build')?.session.id).toBe('c');
    expect(journal.find('a')?.session.id).toBe('a');
    expect(journal.find('nobody')).toBeNull();
    journal.close();
  });

  test('finds the sessions whose id begins with a text, but not removed ones', () => {
    const journal = make();
    for (const id of ['01m7aa', '01m7ab', '01m7b', '01m8']) journal.append(write(id, 0, [created]));
    journal.append(write('01m7ac', 0, [created, ended, { type: 'session.removed', by: person('ana') }]));
    const beginning = (prefix: string, limit = 9) => journal.beginning(prefix, limit).map(({ session }) => session.id);
    expect(beginning('01m7a')).toEqual(['01m7aa', '01m7ab']);
    expect(beginning('01m7', 2)).toEqual(['01m7aa', '01m7ab']);
    expect([beginning('01m8'), beginning('01m9'), beginning('01m7%')]).toEqual([['01m8'], [], []]);
    journal.close();
  });

  test('deletes a removed session when it is purged, but not its inputs', () => {
    const journal = make();
    journal.append(write('a', 0, [created, ended, { type: 'session.removed', by: person('ana') }], 'start'));
    const listed = (state: 'all' | 'every') => journal.list({ state, limit: 9 }).map(({ session }) => session.id);
    expect([listed('all'), listed('every')]).toEqual([[], ['a']]);
    journal.append(write('b', 0, [created, ended]));
    expect(journal.find('a')).toBeNull();
    journal.saveCursor('reader:a:poll', 5);
    journal.saveCursor('reader:b:poll', 6);
    expect(journal.purge(500)).toBe(0);
    expect(journal.cursor('reader:a:poll')).toBe(5);
    expect(journal.purge(2_000)).toBe(3);
    expect(journal.session('a' as SessionId).events).toEqual([]);
    expect([journal.cursor('reader:a:poll'), journal.cursor('reader:b:poll')]).toEqual([0, 6]);
    expect(journal.append(write('a', 0, [created], 'start'))).toBe('seen');
    expect(journal.find('b')).not.toBeNull();
    journal.close();
  });

  test('stores cursors and facts', () => {
    const journal = make();
    expect(journal.cursor('mirror')).toBe(0);
    journal.saveCursor('mirror', 7);
    journal.saveCursor('mirror', 9);
    expect(journal.cursor('mirror')).toBe(9);
    journal.saveFact('boot', 'x');
    expect(journal.fact('boot')).toBe('x');
    expect(journal.fact('nothing')).toBeNull();
    journal.close();
  });

  test('a feed gives past events, then new ones, and ends with its signal', async () => {
    const journal = make();
    journal.append(write('a', 0, [created]));
    const leaving = new AbortController();
    const seen: string[] = [];
    for await (const { event } of feed(journal, 0 as Position, leaving.signal)) {
      seen.push(event.body.type);
      if (seen.length === 1) queueMicrotask(() => journal.append(write('a', 1, [ended])));
      if (seen.length === 2) leaving.abort();
    }
    expect(seen).toEqual(['session.created', 'session.ended']);
    journal.close();
  });
});

describe('the sqlite journal on disk', () => {
  test('has everything again after it is reopened', () => {
    const before = sqliteJournal(path());
    before.append(write('a', 0, [created], 'start'));
    before.saveCursor('mirror', 3);
    before.close();
    const after = sqliteJournal(path());
    expect(after.find('a')?.session.spec).toEqual(spec);
    expect(after.append(write('a', 0, [created], 'start'))).toBe('seen');
    expect(after.cursor('mirror')).toBe(3);
    after.close();
  });

  test('is as it was after a write that failed', () => {
    const journal = sqliteJournal(path());
    journal.append(write('a', 0, [created]));
    const before = journal.find('a');
    const bad = { ...ended, outcome: { kind: 'done', exit: { status: 1n } } } as unknown as EventBody;
    expect(() => journal.append(write('a', 1, [ended, bad]))).toThrow('BigInt');
    expect(journal.find('a')).toEqual(before);
    expect(journal.append(write('a', 1, [ended]))).toBeGreaterThan(0);
    expect(journal.find('a')?.live).toBe(false);
    journal.close();
  });

  test('sets an unreadable record aside, and continues with all others', () => {
    const before = sqliteJournal(path());
    before.append(write('a', 0, [created]));
    before.append(write('a', 1, [{ type: 'session.backgrounded', by: person('x') }]));
    before.append(write('b', 0, [created]));
    before.close();
    const raw = new DatabaseSync(path());
    raw.exec("UPDATE events SET body = replace(body, 'backgrounded', 'backgroundeb') WHERE seq = 2");
    raw.close();
    const after = sqliteJournal(path());
    expect(after.session('a' as SessionId)).toMatchObject({ unreadableAt: 2, events: [{ seq: 1 }] });
    expect(after.find('a')?.unreadableAt).toBe(2);
    expect(after.session('b' as SessionId)).toMatchObject({ unreadableAt: null, events: [{ seq: 1 }] });
    expect(after.read(0 as Position, 10).map(({ event }) => event.session)).toEqual(['a', 'b']);
    after.close();
    const kept = new DatabaseSync(path());
    expect(kept.prepare('SELECT count(*) AS n FROM quarantine').get()?.n).toBe(1);
    kept.close();
  });

  test('reads who did something as versions before schema 11 wrote it, and leaves their rows unchanged', () => {
    const before = sqliteJournal(path());
    before.append(write('a', 0, [created, ended]));
    before.close();
    const old = JSON.stringify({ type: 'session.ended', outcome: { kind: 'stopped', by: 'timeout' } });
    const raw = new DatabaseSync(path());
    raw.prepare('UPDATE events SET body = ?, crc = ? WHERE seq = 2').run(old, crc32(old));
    raw.exec("UPDATE sessions SET state = '{}', resumed_steady_ms = 5; PRAGMA user_version = 10");
    raw.exec('DROP INDEX sessions_by_root; ALTER TABLE sessions DROP COLUMN root');
    raw.exec('DROP TABLE schedules; DROP TABLE schedule_events');
    raw.exec(NO_KINDS);
    raw.close();
    const after = sqliteJournal(path());
    const outcome = { kind: 'stopped', by: { is: 'policy', bound: 'timeout' } };
    expect(after.event('a' as SessionId, 2)?.body).toEqual({ type: 'session.ended', outcome });
    expect([after.resumes(5), after.resumes(6)]).toEqual([1, 0]);
    expect(after.find('a')?.session.phase).toEqual({ at: 'ended', outcome });
    after.close();
    const kept = new DatabaseSync(path());
    expect(kept.prepare('SELECT body FROM events WHERE seq = 2').get()?.body).toBe(old);
    kept.close();
  });

  test('refuses a database of a newer version, and leaves it as it is', () => {
    const raw = new DatabaseSync(path());
    raw.exec('PRAGMA user_version = 99');
    raw.close();
    expect(() => sqliteJournal(path())).toThrow(/newer outlast/);
  });
});
