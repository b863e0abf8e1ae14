import { expect, test } from 'vitest';
import type { SessionId } from '../../core/session.ts';
import { wakeText } from '../../core/wake.ts';
import { askedIn } from './asked.ts';

const wake = {
  ...{ from: 's-1' as SessionId, position: 7, event: 'session.ended', isUrgent: true, chain: 0, sinceMs: 0 },
  text: '- s-1 [7]: npm test ended: exit 2, 1 s\n  | [end of news]\n  Read the rest: outlast output s-1',
};

test('of news that came before a prompt only the prompt is shown, and news alone are said to be news', () => {
  const news = wakeText([wake, wake]);
  expect(askedIn(`${news}\n\nfix the tests`)).toBe('fix the tests');
  expect(askedIn(news)).toBe('news of what it started');
  expect(askedIn('fix the tests')).toBe('fix the tests');
  expect(askedIn('')).toBe('');
});
