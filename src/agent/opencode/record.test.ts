import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { readerPromises } from '../../testing/reader-promises.ts';
import { readWhole } from '../seam/lines.ts';
import { opencodeRecord } from './record.ts';
import { opencodeSources } from './sources.ts';
import { opencodeStream } from './stream.ts';
import { opencodeTurnReader } from './turns.ts';

const CASES = join(import.meta.dirname, 'cases');
const textsOf = (kind: string, file: string): string[] =>
  readdirSync(join(CASES, kind)).map((name) => readFileSync(join(CASES, kind, name, file), 'utf8'));
const rows = textsOf('rows', 'rows.jsonl');

describe.each([
  ['rows', readerPromises(opencodeRecord, rows)],
  ['rows for people', readerPromises(opencodeTurnReader, rows)],
  ['a stream', readerPromises(opencodeStream, textsOf('stream', 'output.ndjson'))],
])('%s', (_name, promises) => {
  test.each(Object.entries(promises))('%s', (_sentence, holds) => holds());
});

const row = (fields: object): string => `${JSON.stringify(fields)}\n`;
const hex = (i: number): string => i.toString(16).padStart(12, '0');
const turn = (i: number): string => {
  const [user, reply] = [`msg_${hex(i * 2)}u`, `msg_${hex(i * 2 + 1)}a`];
  return (
    row({ table: 'message', id: user, data: { role: 'user', time: { created: i } } }) +
    row({ table: 'part', id: `prt_${i}`, message_id: user, data: { type: 'text', text: `prompt ${i}` } }) +
    row({
      table: 'message',
      id: reply,
      data: { role: 'assistant', parentID: user, finish: 'stop', time: { completed: i }, tokens: { total: 1 } },
    })
  );
};

test('the kept state of a conversation is bounded, however many turns it has', () => {
  let known = opencodeRecord.empty;
  for (let i = 0; i < 2_000; i += 1) {
    known = opencodeRecord.read(known, turn(i));
    if (i % 50 === 0) known = opencodeRecord.settle(known, { message: `msg_${hex(i * 2 + 1)}a`, atMs: 0 });
  }
  const { prompts, messages, isCut } = opencodeRecord.view(known);
  expect([prompts.length, isCut, prompts.at(-1)?.turn]).toEqual([1_004, true, 'closed']);
  expect(messages.length).toBeLessThan(250);
});

/** The tables of OpenCode, reduced to the columns that are read. */
const SCHEMA = `
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
  CREATE INDEX message_session_idx ON message (session_id);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER,
    data TEXT);
  CREATE INDEX part_session_idx ON part (session_id);`;

test('its database is read by an index, and only the rows that changed', () => {
  const files = { names: () => [], isThere: () => true };
  const { main } = opencodeSources(files, () => ({ HOME: '/h' }), { id: 'ses_1', reported: null });
  if (main?.is !== 'database') throw new Error('it has no database');
  expect(main).toMatchObject({ path: '/h/.local/share/opencode/opencode.db', id: 'ses_1' });
  const db = new DatabaseSync(':memory:');
  db.exec(SCHEMA);
  const insert = (table: string, fields: Record<string, string | number>): void => {
    const names = Object.keys(fields);
    db.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map((name) => `$${name}`)})`).run(fields);
  };
  const data = JSON.stringify({ role: 'user', time: { created: 1 } });
  insert('message', { id: 'msg_1', session_id: 'ses_1', time_updated: 10, data });
  insert('message', { id: 'msg_2', session_id: 'ses_2', time_updated: 10, data });
  const text = JSON.stringify({ type: 'text', text: 'hello' });
  insert('part', { id: 'prt_1', message_id: 'msg_1', session_id: 'ses_1', time_updated: 20, data: text });
  const linesSince = (since: number): string =>
    db
      .prepare(main.query)
      .all({ id: main.id, since })
      .map(({ line }) => `${line}\n`)
      .join('');
  expect(readWhole(opencodeRecord, linesSince(0)).prompts).toMatchObject([{ keys: ['hello'], turnId: 'msg_1' }]);
  expect(linesSince(11).split('\n')).toHaveLength(2);
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${main.query}`).all({ id: main.id, since: 0 });
  const steps = plan.map(({ detail }) => String(detail)).filter((detail) => /message|part/.test(detail));
  expect(steps.filter((detail) => !detail.includes('USING INDEX'))).toEqual([]);
});
