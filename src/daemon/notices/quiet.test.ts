import { expect, test } from 'vitest';
import { quietUntil } from './quiet.ts';

const at = (text: string): number => Date.parse(text);
const hours = (from: string, to: string, timeZone = 'UTC') => ({ from, to, timeZone, except: [] });

test.each([
  ['before they begin', '2026-03-10T21:59:59Z', null],
  ['in the minute they begin', '2026-03-10T22:00:00Z', '2026-03-11T07:00:00Z'],
  ['in the evening', '2026-03-10T23:30:20Z', '2026-03-11T07:00:00Z'],
  ['in the morning', '2026-03-11T06:59:59Z', '2026-03-11T07:00:00Z'],
  ['in the minute they end', '2026-03-11T07:00:00Z', null],
  ['at noon', '2026-03-11T12:00:00Z', null],
])('quiet hours over midnight are right %s', (_, now, end) => {
  expect(quietUntil(hours('22:00', '07:00'), at(now))).toBe(end === null ? null : at(end));
});

test('quiet hours within a day, and none', () => {
  const noon = hours('12:00', '13:30');
  expect(quietUntil(noon, at('2026-03-10T12:15:00Z'))).toBe(at('2026-03-10T13:30:00Z'));
  expect(quietUntil(noon, at('2026-03-10T13:30:00Z'))).toBeNull();
  expect(quietUntil(undefined, 0)).toBeNull();
});

test.each([
  // 22:30 in Berlin and in New York.
  ['Europe/Berlin', '2026-07-01T20:30:00Z', '2026-07-02T05:00:00Z'],
  ['America/New_York', '2026-01-15T03:30:00Z', '2026-01-15T12:00:00Z'],
  // The clocks of Berlin are put forward in this night, and back in that one.
  ['Europe/Berlin', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00Z'],
  ['Europe/Berlin', '2026-10-24T21:00:00Z', '2026-10-25T06:00:00Z'],
  ['Asia/Kolkata', '2026-07-01T18:00:00Z', '2026-07-02T01:30:00Z'],
])('quiet hours are those of the time zone %s, also when its clocks are changed', (timeZone, now, end) => {
  expect(quietUntil(hours('22:00', '07:00', timeZone), at(now))).toBe(at(end));
});
