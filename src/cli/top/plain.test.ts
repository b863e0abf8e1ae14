import { expect, test } from 'vitest';
import type { SessionRow } from '../../client/index.ts';
import { anAgent, aSession, endedSession } from '../../testing/session-view.ts';
import { plainLine, timeOf } from './plain.ts';

const NOW = 1_700_000_100_000;
const at = timeOf(NOW);
const working: SessionRow = { ...anAgent({ name: 'api', phase: 'working' }), line: 'Bash npm test' };

test.each([
  [working, `${at} api: working`],
  [{ ...working, approvals: 1, phase: 'blocked' }, `${at} api: needs you: blocked, 1 to approve: Bash npm test`],
  [{ ...working, phase: 'held', held: 'not logged\nin' }, `${at} api: needs you: held: not logged\\nin`],
  [{ ...working, phase: 'idle', line: 'All done.' }, `${at} api: idle: All done.`],
  [{ ...endedSession(7, { name: 'tests' }), line: '1 failed' }, `${at} tests: exit 7: 1 failed`],
] as const)('a session is a line of words: %o', (row, text) => {
  expect(plainLine(undefined, row as SessionRow, NOW)).toBe(text);
});

test('what only prints or thinks is not mentioned again', () => {
  const printing: SessionRow = { ...aSession({ name: 'build' }), line: 'a' };
  expect(plainLine(printing, { ...printing, line: 'b', outputBytes: 9, lastSignAtMs: NOW }, NOW)).toBeNull();
  expect(plainLine(working, { ...working, line: 'Read x', usage: { turns: 2, tokens: 9, usd: 1 } }, NOW)).toBeNull();
  expect(plainLine(working, { ...working, phase: 'idle', line: 'Done.' }, NOW)).toBe(`${at} api: idle: Done.`);
});

test('a line has no control characters', () => {
  const evil = '\x1b[2J\x07\u202e';
  const row: SessionRow = { ...anAgent({ name: evil, phase: 'held', held: evil }), line: evil };
  expect(plainLine(undefined, row, NOW)).not.toMatch(/[\x00-\x1f\u202e]/);
});
