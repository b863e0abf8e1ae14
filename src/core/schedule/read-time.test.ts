import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTime } from './read-time.ts';
import { isTimeZone, momentOf, wallTimeAt } from './zone-time.ts';

const NOW = Date.parse('2026-11-19T17:00:00Z'); // 18:00 in Berlin
const ZONE = 'Europe/Berlin';

const read = (text: string, timeZone = ZONE): string => {
  const result = readTime(text, NOW, timeZone);
  return 'fault' in result ? result.fault : new Date(result.ms).toISOString();
};

test.each([
  ['18:30', '2026-11-19T17:30:00.000Z'],
  ['today 18:30', '2026-11-19T17:30:00.000Z'],
  ['tomorrow 9:00', '2026-11-20T08:00:00.000Z'],
  ['tomorrow at 09:00:30', '2026-11-20T08:00:30.000Z'],
  ['2026-12-01 07:15', '2026-12-01T06:15:00.000Z'],
  ['2026-12-01T07:15:00', '2026-12-01T06:15:00.000Z'],
  ['2026-12-01T07:15Z', '2026-12-01T07:15:00.000Z'],
  ['2026-12-01T07:15:00.250-0500', '2026-12-01T12:15:00.000Z'],
  ['+2h', '2026-11-19T19:00:00.000Z'],
  ['+1d12h30m', '2026-11-21T05:30:00.000Z'],
  // Twice in that night: the first.
  ['2027-10-31 02:30', '2027-10-31T00:30:00.000Z'],
])('%s is read', (text, at) => {
  expect(read(text)).toBe(at);
});

test.each([
  ['17:59', '17:59 has passed; for the next day write "tomorrow 17:59"'],
  ['2026-11-19 12:00', '2026-11-19 12:00 has passed; give a later time'],
  ['+0m', '+0m has passed; give a later time'],
  ['2027-03-28 02:30', '2027-03-28 02:30 does not exist in Europe/Berlin: clocks are set forward over it'],
  ['2027-02-30 12:00', '"2027-02-30 12:00" is not a valid time'],
  ['25:00', '"25:00" is not a valid time'],
  ['+2x', '"+2x" is not a duration; write +90m, +2h or +1d12h'],
  ['3026-01-01 00:00', '3026-01-01 00:00 is more than 20 years ahead'],
  ['soon', '"soon" is not a time; write 18:30, tomorrow 9:00, 2026-11-20 09:00, 2026-11-20T09:00Z or +2h'],
  ['2026-11-20', '"2026-11-20" is not a time; write 18:30, tomorrow 9:00, 2026-11-20 09:00, 2026-11-20T09:00Z or +2h'],
])('%s is refused with what to write', (text, fault) => {
  expect(read(text)).toBe(fault);
});

test('tomorrow is the next day of the zone, also over the end of a year', () => {
  const late = Date.parse('2026-12-31T23:30:00Z');
  const inTokyo = readTime('tomorrow 0:15', late, 'Asia/Tokyo');
  expect(inTokyo).toEqual({ ms: Date.parse('2027-01-01T15:15:00Z') });
});

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns', 'UTC'];

test('a moment and what the clocks show then belong together, in every zone', () => {
  const moments = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) });
  fc.assert(
    fc.property(moments, fc.constantFrom(...ZONES), (ms, zone) => {
      const second = Math.floor(ms / 1000) * 1000;
      const again = momentOf(wallTimeAt(second, zone), zone);
      // Of a time that comes twice, the first.
      expect(again === second || again === second - 3_600_000 || again === second - 1_800_000).toBe(true);
      expect(again === null ? null : wallTimeAt(again, zone)).toEqual(wallTimeAt(second, zone));
    }),
  );
  expect([isTimeZone('Europe/Berlin'), isTimeZone('Mars/Base')]).toEqual([true, false]);
});
