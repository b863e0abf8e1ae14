import { expect, test } from 'vitest';
import { geminiSources } from './sources.ts';

const TMP = '/home/ann/.gemini/tmp';
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  [TMP]: ['one', 'two'],
  [`${TMP}/two/chats`]: [
    'session-2026-11-18T18-48-a9ba5984.jsonl',
    'session-2026-11-18T18-44-a9ba5984.jsonl',
    'session-2026-11-18T18-43-470ed2b0.jsonl',
  ],
};
const FILES = { names: (folder: string) => FOLDERS[folder] ?? [], isThere: () => true };

test('a conversation is in the oldest file with the start of its id, in whichever project', () => {
  const look = (id: string | null) => geminiSources(FILES, () => ({ HOME: '/home/ann' }), { id, reported: null });
  const path = `${TMP}/two/chats/session-2026-11-18T18-44-a9ba5984.jsonl`;
  expect(look('a9ba5984-ac6e-40af-9d13-adae8c7077e0').main).toEqual({ is: 'file', path });
  const other = look('b0000000-ac6e-40af-9d13-adae8c7077e0');
  expect([other.main, other.place()]).toEqual([null, `${TMP}/*/chats/session-*-b0000000.jsonl`]);
  expect([look(null).main, look(null).place()]).toEqual([null, null]);
});
