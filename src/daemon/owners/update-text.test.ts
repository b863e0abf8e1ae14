import { expect, test } from 'vitest';
import type { NoticeItem } from '../notices/item.ts';
import { updateText } from './update-text.ts';

const item: NoticeItem = {
  ...{ session: 's-1', name: 'kid', event: 'session.ended', position: 7, at: '', exit: 2, outcome: { kind: 'done' } },
  ...{
    failed: true,
    why: 'Bash',
    command: 'npm test',
    snippet: 'last line',
    read: 'outlast output s-1',
    tookMs: 1_000,
  },
};

test('an update has the name once, the last output, and the command that reads the rest', () => {
  expect(updateText(item, null).split('\n')).toEqual([
    '- s-1 (kid) [7]: npm test ended: exit 2, 1.0s',
    '  | last line',
    '  Read the rest: outlast output s-1',
  ]);
});

test('a question has different commands for reading and answering', () => {
  const asked = { ...item, event: 'approval.asked', read: 'outlast approve q   or   outlast deny q --why "…"' };
  expect(updateText(asked, null).split('\n').slice(-2)).toEqual([
    '  Read all of it: outlast approvals s-1',
    '  Answer it: outlast approve q   or   outlast deny q --why "…"',
  ]);
});

test('what only a person can do is marked as such', () => {
  const held = { ...item, event: 'session.held', read: 'outlast attach s-1' };
  expect(updateText(held, null)).toContain('  For a person: outlast attach s-1');
});

test('for a removed session the update has the reply', () => {
  const text = updateText(item, 'all of it');
  expect(text).toContain('  | all of it\n  It is removed (unless');
});
