import { expect, test } from 'vitest';
import { isRepeatable } from './exchange.ts';

test('a call that may have been carried out is repeated only when that does no harm', () => {
  expect(isRepeatable('session.show', {})).toBe(true);
  expect(isRepeatable('session.stop', {})).toBe(true);
  expect(isRepeatable('session.start', {})).toBe(false);
  expect(isRepeatable('session.start', { key: 'k' })).toBe(true);
  expect(isRepeatable('session.write', { key: 'k' })).toBe(false);
  // It may interrupt a turn.
  expect(isRepeatable('session.attach', {})).toBe(false);
});
