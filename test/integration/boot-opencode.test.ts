import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { opencodeConversations } from '../../src/agent/opencode/conversations.ts';
import { opencodeStored } from '../../src/agent/opencode/store.ts';
import { realClock } from '../../src/base/clock.ts';
import { type Seen, scan } from '../../src/daemon/boot/scan.ts';
import { realFiles } from '../../src/supervisor/process-facts.ts';
import { OpencodeDatabase } from '../../src/testing/opencode-database.ts';

const MINUTE_MS = 60_000;
let root = '';
let path = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ol-opencode-'));
  mkdirSync(join(root, 'real/opencode'), { recursive: true });
  symlinkSync(join(root, 'real'), join(root, 'data'));
  path = join(root, 'data/opencode/opencode.db');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

async function scanned(): Promise<readonly Seen[]> {
  const { seen } = await scan({
    clock: realClock(),
    files: realFiles,
    conversations: [opencodeConversations],
    env: { HOME: root, XDG_DATA_HOME: join(root, 'data') },
    folders: [],
    windowMs: 20 * MINUTE_MS,
    aliveAtMs: null,
    sleptAtMs: null,
    ours: () => null,
    isWanted: () => true,
  });
  return seen;
}

async function verdicts(): Promise<Record<string, string>> {
  return Object.fromEntries((await scanned()).map(({ listed, is }) => [listed.id, is]));
}

/** A conversation with a request and, if it says so, a whole reply. */
function keep(db: OpencodeDatabase, id: string, agoMs: number, how: 'asked' | 'answered', more: object = {}): void {
  const atMs = Date.now() - agoMs;
  db.session(id, { directory: root, time_created: atMs, time_updated: atMs, ...more });
  db.message(`msg_1${id}`, id, { role: 'user', agent: 'build', time: { created: atMs } }, atMs);
  db.part(`prt_1${id}`, [id, `msg_1${id}`], { type: 'text', text: 'make the tests pass' }, atMs);
  if (how === 'asked') return;
  const ended = { finish: 'stop', time: { created: atMs + 1, completed: atMs + 2 } };
  db.message(`msg_2${id}`, id, { role: 'assistant', parentID: `msg_1${id}`, ...ended }, atMs);
}

function keepAll(): OpencodeDatabase {
  const db = new OpencodeDatabase(path);
  keep(db, 'ses_open', MINUTE_MS, 'asked');
  keep(db, 'ses_done', MINUTE_MS, 'answered');
  keep(db, 'ses_sub', MINUTE_MS, 'asked', { parent_id: 'ses_open' });
  keep(db, 'ses_gone', MINUTE_MS, 'asked', { time_archived: 1 });
  keep(db, 'ses_old', 400 * 24 * 60 * MINUTE_MS, 'asked');
  return db;
}

test('T-OCODE-1 each conversation in the database has its verdict; sub-agents and the archive are left', async () => {
  keepAll().db.close();
  expect(await verdicts()).toEqual({
    ses_open: 'interrupted',
    ses_done: 'complete',
    ses_sub: 'system',
    ses_gone: 'complete',
  });
});

test('T-OCODE-2 processes are compared with the real path of the database', async () => {
  keepAll().db.close();
  const [one] = await scanned();
  expect(one?.listed.path).toBe(join(root, 'real/opencode/opencode.db'));
});

test('T-OCODE-3 a locked, damaged or unknown database is reported, and never treated as empty', async () => {
  const { db } = keepAll();
  db.exec('BEGIN EXCLUSIVE; DELETE FROM part;');
  expect(await verdicts()).toEqual({ 'store-of-opencode': 'unknown' });
  db.close();
  writeFileSync(path, 'no database '.repeat(500));
  expect(await verdicts()).toEqual({ 'store-of-opencode': 'unreadable' });
  rmSync(path);
  new DatabaseSync(path).exec('CREATE TABLE other (x)');
  expect(await verdicts()).toEqual({ 'store-of-opencode': 'unknown' });
});

test('T-OCODE-4 one end is read by indexes, whatever the number of conversations', () => {
  const database = keepAll();
  const [store] = opencodeStored.stores(realFiles, join(root, 'data/opencode'));
  const scans = [store?.one, store?.end, store?.size].flatMap((sql) =>
    database.plan(sql ?? '', { id: 'ses_open' }).filter((step) => /^SCAN (message|part|session)\b/.test(step)),
  );
  expect(scans).toEqual([]);
  database.db.close();
});
