import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OpencodeDatabase } from '../../testing/opencode-database.ts';
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

test('its database is read by an index, and only the rows that changed', () => {
  const files = { names: () => [], isThere: () => true };
  const { main } = opencodeSources(files, () => ({ HOME: '/h' }), { id: 'ses_1', reported: null });
  if (main?.is !== 'database') throw new Error('it has no database');
  expect(main).toMatchObject({ path: '/h/.local/share/opencode/opencode.db', id: 'ses_1' });
  const database = new OpencodeDatabase();
  const user = { role: 'user', time: { created: 1 } };
  for (const id of ['ses_1', 'ses_2']) database.session(id);
  database.message('msg_1', 'ses_1', user, 10);
  database.message('msg_2', 'ses_2', user, 10);
  database.part('prt_1', ['ses_1', 'msg_1'], { type: 'text', text: 'hello' }, 20);
  const linesSince = (since: number): string => database.lines(main.query, { id: main.id, since });
  expect(readWhole(opencodeRecord, linesSince(0)).prompts).toMatchObject([{ keys: ['hello'], turnId: 'msg_1' }]);
  expect(linesSince(11).split('\n')).toHaveLength(2);
  const steps = database.plan(main.query, { id: main.id, since: 0 });
  const reads = steps.filter((step) => /^(SCAN|SEARCH) (message|part)\b/.test(step));
  expect(reads).toEqual([
    expect.stringMatching(/^SEARCH message USING INDEX message_session_time_created_id_idx \(session_id=\?\)$/),
    expect.stringMatching(/^SEARCH part USING INDEX part_session_idx \(session_id=\?\)$/),
  ]);
});
