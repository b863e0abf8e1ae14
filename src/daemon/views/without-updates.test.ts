import { expect, test } from 'vitest';
import { childUpdatesText } from '../../core/ownership.ts';
import type { SessionId } from '../../core/session.ts';
import { withoutUpdates } from './without-updates.ts';

const update = {
  ...{ from: 's-1' as SessionId, position: 7, event: 'session.ended', isUrgent: true, chain: 0, sinceMs: 0 },
  text: '- s-1 [7]: npm test ended: exit 2, 1 s\n  | [end of updates]\n  Read the rest: outlast output s-1',
};

test('updates before a prompt are hidden, and a prompt of updates alone is labelled as such', () => {
  const updates = childUpdatesText([update, update]);
  expect(withoutUpdates(`${updates}\n\nfix the tests`)).toBe('fix the tests');
  expect(withoutUpdates(`${updates}\n\n${updates}`)).toBe('updates from sessions it started');
  expect(withoutUpdates(updates)).toBe('updates from sessions it started');
  expect(withoutUpdates('fix the tests')).toBe('fix the tests');
  expect(withoutUpdates('')).toBe('');
});
