import { expect, test } from 'vitest';
import { EVENT_NAMES } from '../api/event-names.ts';
import { TROUBLES } from './trouble.ts';

test('each trouble is an event that exists', () => {
  expect([...TROUBLES].filter((name) => !EVENT_NAMES.includes(name))).toEqual([]);
  expect(TROUBLES.size).toBeGreaterThan(5);
});
