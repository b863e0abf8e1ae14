import { expect, test } from 'vitest';
import { codexLive } from './live-drive.ts';
import { codexRecord } from './record.ts';

const { typed, boxText, isPlaceholder, read } = codexLive;

test('a text that begins like a command, or ends in a name after @, is typed so that it stays a text', () => {
  expect(typed('/status')).toBe(' /status ');
  expect(typed('  !ls\n')).toBe(' !ls ');
  expect(boxText(typed('look at\n@src'))).toBe('lookat@src');
});

test('the note that stands for a long text is known by the number of characters', () => {
  const text = `${'🐙'.repeat(1_200)}\r\nend\x1b`;
  // Two blanks, the text without ESC, and its line ends as one character each.
  expect(isPlaceholder('[Pasted Content 1206 chars]', text)).toBe(true);
  expect(isPlaceholder('[Pasted Content 1207 chars]', text)).toBe(false);
  expect(isPlaceholder('[Pasted Content 1206 chars] more', text)).toBe(false);
});

test('a text is recognized in the record as it was sent in a message, and as it was typed', () => {
  const [sent] = codexRecord.keysOf('red \x1b[31m');
  const [typedKey] = codexRecord.keysOf('red [31m');
  expect(codexRecord.keysOf('red \x1b[31m')).toEqual([sent, typedKey]);
  expect(sent).not.toBe(typedKey);
});

const BOX = ['› an earlier prompt', '', '• its answer', '', '› Ask Codex to do anything', '', '  gpt · /w'];

test('the box is where the cursor stands, and its hint is a draft if the cursor is behind it', () => {
  const shown = { rows: BOX, title: null };
  expect(read({ ...shown, cursor: { row: 4, column: 2 } })).toEqual({ is: 'ready', draft: null });
  expect(read({ ...shown, cursor: { row: 4, column: 26 } })).toEqual({ is: 'ready', draft: BOX[4]?.slice(2) });
  expect(read({ ...shown, cursor: { row: 6, column: 1 } })).toEqual({ is: 'unknown' });
  expect(read({ ...shown, cursor: { row: 2, column: 4 } })).toEqual({ is: 'unknown' });
});

test('work is seen in the title, or in the row above the box', () => {
  const cursor = { row: 4, column: 2 };
  expect(read({ rows: BOX, title: '⠦ w', cursor }).is).toBe('busy');
  const working = BOX.with(2, '◦ Working (1m 03s • esc to interrupt)');
  expect(read({ rows: working, title: 'w', cursor }).is).toBe('busy');
  expect(read({ rows: BOX.with(2, '• Press esc to interrupt'), title: 'w', cursor }).is).toBe('ready');
});

test('a question is a dialog, whatever stands in the box', () => {
  const asking = read({ rows: BOX, title: '[ ! ] Action Required | w', cursor: { row: 4, column: 2 } });
  expect(asking).toMatchObject({ is: 'dialog', why: { kind: 'permission', about: 'tool' } });
  const unknown = ['  Something new', '› 1. Yes', '  2. No', '  enter confirm · esc back'];
  const read2 = read({ rows: unknown, title: null, cursor: { row: 3, column: 1 } });
  expect(read2).toMatchObject({ is: 'dialog', why: { kind: 'other' } });
});
