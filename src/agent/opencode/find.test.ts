import { expect, test } from 'vitest';
import { OpencodeDatabase } from '../../testing/opencode-database.ts';
import { readWhole } from '../seam/lines.ts';
import type { LostConversation } from '../seam/record-search.ts';
import { plainKey } from '../seam/text-key.ts';
import { findOpencode } from './find.ts';

const LOST: LostConversation = {
  workspaces: ['/w', '/real/w'],
  sinceMs: 100_000,
  untilMs: 200_000,
  keys: [plainKey('hello\nworld')],
};
const FILES = { names: () => [], isThere: () => true };

/** Adds a conversation with one message of the user, which has these texts as its parts. */
function asked(database: OpencodeDatabase, id: string, texts: readonly string[], fields: object = {}): void {
  database.session(id, { time_created: 150_000, ...fields });
  database.message(`msg_${id}`, id, { role: 'user' });
  for (const [i, text] of texts.entries()) {
    database.part(`prt_${id}_${i}`, [id, `msg_${id}`], { type: 'text', text });
  }
}

function fits(database: OpencodeDatabase): readonly string[] {
  const { sources, reader } = findOpencode(FILES, () => ({ HOME: '/h' }), LOST);
  const [source] = sources;
  if (source?.is !== 'database') throw new Error('it has no database');
  expect(source).toMatchObject({ path: '/h/.local/share/opencode/opencode.db', since: 98_000 });
  return readWhole(reader, database.lines(source.query, { id: source.id, since: source.since ?? 0 }));
}

test('a conversation is matched by its folder, its time and its prompt', () => {
  const database = new OpencodeDatabase();
  asked(database, 'ses_fits', ['hello', 'world']);
  asked(database, 'ses_linked', ['hello\nworld'], { directory: '/real/w' });
  asked(database, 'ses_other_text', ['hello']);
  asked(database, 'ses_elsewhere', ['hello', 'world'], { directory: '/other' });
  asked(database, 'ses_before', ['hello', 'world'], { time_created: 90_000 });
  asked(database, 'ses_after', ['hello', 'world'], { time_created: 210_000 });
  asked(database, 'ses_child', ['hello', 'world'], { parent_id: 'ses_fits' });
  asked(database, 'ses_unsaid', []);
  expect(fits(database)).toEqual(['ses_fits', 'ses_linked']);
});

test('text of the model is no prompt, and neither is text that OpenCode adds itself', () => {
  const database = new OpencodeDatabase();
  database.session('ses_1', { time_created: 150_000 });
  database.message('msg_1', 'ses_1', { role: 'user' });
  database.part('prt_1', ['ses_1', 'msg_1'], { type: 'text', text: 'hello\nworld', synthetic: true });
  database.message('msg_2', 'ses_1', { role: 'assistant' });
  database.part('prt_2', ['ses_1', 'msg_2'], { type: 'text', text: 'hello\nworld' });
  expect(fits(database)).toEqual([]);
});

test('messages and parts of a conversation are found by indexes', () => {
  const { sources } = findOpencode(FILES, () => ({}), LOST);
  const [source] = sources;
  if (source?.is !== 'database') throw new Error('it has no database');
  const steps = new OpencodeDatabase().plan(source.query, { id: source.id, since: 0 });
  expect(steps.filter((step) => /^SCAN (message|part)\b/.test(step))).toEqual([]);
  expect(steps.filter((step) => /^SEARCH (message|part) USING INDEX/.test(step))).toHaveLength(2);
});

test('without a database there is nothing to find', () => {
  expect(findOpencode({ names: () => [], isThere: () => false }, () => ({}), LOST).sources).toEqual([]);
});
