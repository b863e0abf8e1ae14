import { expect, test } from 'vitest';
import { isRepeatable, waitMsOf } from './exchange.ts';

test('a call that may have been carried out is repeated only when that does no harm', () => {
  expect(isRepeatable('session.show', {})).toBe(true);
  expect(isRepeatable('session.stop', {})).toBe(true);
  expect(isRepeatable('session.start', {})).toBe(false);
  expect(isRepeatable('session.start', { key: 'k' })).toBe(true);
  expect(isRepeatable('session.write', { key: 'k' })).toBe(false);
  // It may interrupt a turn.
  expect(isRepeatable('session.attach', {})).toBe(false);
});

test('a wait may take as long as its timeout, or forever; other calls answer at once', () => {
  expect(waitMsOf('session.wait', { timeoutMs: 5_000 })).toBe(5_000);
  expect(waitMsOf('session.follow', {})).toBe(Number.POSITIVE_INFINITY);
  expect(waitMsOf('approval.follow', {})).toBe(Number.POSITIVE_INFINITY);
  expect(waitMsOf('session.events', { follow: true })).toBe(Number.POSITIVE_INFINITY);
  expect(waitMsOf('session.events', {})).toBe(0);
  // The time limit of the session is not one of the call.
  expect(waitMsOf('session.start', { timeoutMs: 5_000 })).toBe(0);
});
