import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { opencode } from '../../src/agent/opencode/opencode.ts';
import type { DatabaseSource } from '../../src/agent/seam/record.ts';
import { DatabaseTail } from '../../src/supervisor/database-tail.ts';

const SCHEMA = `
  PRAGMA journal_mode = wal;
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_updated INTEGER, data TEXT);
  CREATE INDEX message_session_idx ON message (session_id);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_updated INTEGER, data TEXT);
  CREATE INDEX part_session_idx ON part (session_id);`;

let home: string;
let db: DatabaseSync;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ol-db-'));
  db = createDatabase('opencode.db');
});

afterEach(() => {
  db.close();
  rmSync(home, { recursive: true, force: true });
});

function createDatabase(name: string): DatabaseSync {
  const fresh = new DatabaseSync(join(home, name));
  fresh.exec(SCHEMA);
  return fresh;
}

function prompt(into: DatabaseSync, id: string, text: string, at: number, session = 'ses_1'): void {
  const message = JSON.stringify({ role: 'user', time: { created: at } });
  into.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run(id, session, at, message);
  const part = JSON.stringify({ type: 'text', text });
  into.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?)').run(`prt_${id}`, id, session, at, part);
}

function sourceIn(path = join(home, 'opencode.db')): DatabaseSource {
  const query = opencode.record.sources({ names: () => [], isThere: () => true }, () => ({}), {
    id: 'ses_1',
    reported: null,
  }).main;
  if (query?.is !== 'database') throw new Error('it has no database');
  return { ...query, path };
}

const tailIn = (path?: string) => new DatabaseTail(sourceIn(path), opencode.record, { busyMsMax: 10 });
type Tail = ReturnType<typeof tailIn>;
const promptKeys = ({ view }: Tail): readonly string[] => view.prompts.flatMap(({ keys }) => keys);

test('T-RECORD-1: the database of an agent is read while it writes, and only its own conversation', async () => {
  const tail = tailIn();
  prompt(db, 'msg_1', 'one', 10);
  prompt(db, 'msg_2', 'of another', 10, 'ses_2');
  await tail.readOn(0);
  expect(promptKeys(tail)).toEqual(['one']);
  // Two with the same time: the second did not exist when the first was read.
  prompt(db, 'msg_3', 'two', 10);
  prompt(db, 'msg_4', 'three', 20);
  await tail.readOn(0);
  expect(promptKeys(tail)).toEqual(['one', 'two', 'three']);
  const reply = { role: 'assistant', parentID: 'msg_4', finish: 'stop', time: { created: 21, completed: 22 } };
  db.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run('msg_5', 'ses_1', 22, JSON.stringify(reply));
  await tail.readOn(0);
  expect(tail.view.prompts.map(({ turn }) => turn)).toEqual(['open', 'open', 'closed']);
});

test('T-RECORD-2: a database that is locked is unknown, never empty; what was known stays known', async () => {
  db.exec('PRAGMA journal_mode = delete');
  prompt(db, 'msg_1', 'one', 10);
  const [fresh, known] = [tailIn(), tailIn()];
  await known.readOn(0);
  prompt(db, 'msg_2', 'two', 20);
  db.exec('BEGIN EXCLUSIVE');
  await expect(fresh.readOn(0)).rejects.toMatchObject({ code: 'record_unreadable' });
  await expect(known.readOn(0)).rejects.toMatchObject({ code: 'record_unreadable' });
  expect(promptKeys(known)).toEqual(['one']);
  db.exec('COMMIT');
  await Promise.all([fresh.readOn(0), known.readOn(0)]);
  expect([promptKeys(fresh), promptKeys(known)]).toEqual([
    ['one', 'two'],
    ['one', 'two'],
  ]);
});

test('T-RECORD-2: a file that is not a database, and a missing one, is unknown too', async () => {
  const path = join(home, 'other.db');
  writeFileSync(path, 'no database at all, and long enough to be taken for one'.repeat(99));
  await expect(tailIn(path).readOn(0)).rejects.toMatchObject({ code: 'record_unreadable' });
  await expect(tailIn(join(home, 'missing.db')).readOn(0)).rejects.toMatchObject({ code: 'record_unreadable' });
});

test('T-RECORD-1: another database under the same name is read from the beginning', async () => {
  const tail = tailIn();
  prompt(db, 'msg_1', 'one', 100);
  await tail.readOn(0);
  const restored = createDatabase('restored.db');
  prompt(restored, 'msg_0', 'older', 5);
  restored.close();
  db.close();
  renameSync(join(home, 'restored.db'), join(home, 'opencode.db'));
  db = new DatabaseSync(join(home, 'opencode.db'));
  await tail.readOn(0);
  expect(promptKeys(tail)).toEqual(['older']);
});
