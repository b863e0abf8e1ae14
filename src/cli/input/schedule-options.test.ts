import { expect, test } from 'vitest';
import { SCHEDULE_OPTIONS, scheduleInput } from './schedule-options.ts';

const NONE = Object.fromEntries(Object.keys(SCHEDULE_OPTIONS).map((name) => [name, undefined]));
const read = (given: object) => scheduleInput('exec', { ...NONE, ...given } as Parameters<typeof scheduleInput>[1]);

test('without --at and --every it starts now; with one of them, what is given is passed on', () => {
  expect(read({})).toBeNull();
  expect(read({ at: '18:30', missed: 'skip' })).toEqual({ at: '18:30', missed: 'skip' });
  expect(read({ every: '0 9 * * *', tz: 'UTC', overlap: 'queue', until: '+7d', count: '3' })).toEqual({
    ...{ every: '0 9 * * *', timezone: 'UTC', overlap: 'queue', until: '+7d', count: 3 },
  });
});

test.each([
  [{ at: '+1h', every: '0 9 * * *' }, 'exec: choose one of --at and --every'],
  [{ missed: 'skip' }, 'exec: --missed needs --at or --every'],
  [{ at: '+1h', overlap: 'skip' }, 'exec: --overlap needs --every'],
  [{ at: '+1h', count: '2' }, 'exec: --count needs --every'],
  [{ at: '+1h', missed: 'never' }, '--missed: "never" is not one of run, skip'],
  [{ every: '0 9 * * *', count: '0' }, '--count must be 1 or more'],
  [{ every: '0 9 * * *', count: 'two' }, '--count: "two" is not a whole number'],
])('%j is refused', (given, message) => {
  expect(() => read(given)).toThrow(message);
});
