import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wallTimeAt } from '../../core/schedule/zone-time.ts';
import { checkCron, timelineOf } from './cron.ts';

/** The next planned times after a moment. */
async function times(cron: string, timeZone: string, from: string, count: number): Promise<string[]> {
  const { after } = await timelineOf({ kind: 'every', cron }, timeZone);
  const found: string[] = [];
  for (let ms = after(Date.parse(from)); ms !== null && found.length < count; ms = after(ms))
    found.push(new Date(ms).toISOString().slice(0, 16));
  return found;
}

test('a time of day that is set forward over is the first minute after that; the day is not left out', async () => {
  expect(await times('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
    '2026-03-29T01:00',
    '2026-03-30T00:30',
  ]);
});

test('a time of day that comes twice counts once, the first time', async () => {
  expect(await times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
    '2026-10-25T00:30',
    '2026-10-26T01:30',
  ]);
});

test('every half hour stays every half hour when clocks are set', async () => {
  expect(await times('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', 4)).toEqual([
    ...['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30', '2026-03-29T02:00'],
  ]);
  expect(await times('*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z', 4)).toEqual([
    ...['2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'],
  ]);
});

test('a daily time comes once on every day of the zone, and shows that time unless it does not exist', async () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Sao_Paulo');
  const days = fc.integer({ min: 0, max: 365 * 10 });
  await fc.assert(
    fc.asyncProperty(zones, days, fc.nat(23), fc.nat(59), async (zone, day, hour, minute) => {
      const { after } = await timelineOf({ kind: 'every', cron: `${minute} ${hour} * * *` }, zone);
      const first = after(Date.UTC(2020, 0, 1 + day)) ?? 0;
      const second = after(first) ?? 0;
      const [one, other] = [first, second].map((ms) => wallTimeAt(ms, zone));
      const dayOf = (wall: typeof one): number => Date.UTC(wall?.year ?? 0, (wall?.month ?? 0) - 1, wall?.day);
      expect(dayOf(other) - dayOf(one)).toBe(24 * 3_600_000);
      const isShown = one?.hour === hour && one.minute === minute;
      // Otherwise the clocks were set forward over it, at most an hour.
      const lateMin = ((one?.hour ?? 0) - hour) * 60 + ((one?.minute ?? 0) - minute);
      expect(isShown || (lateMin > 0 && lateMin <= 60)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('between two planned times the answer is remembered, and is the same', async () => {
  const { after } = await timelineOf({ kind: 'every', cron: '0 9 * * *' }, 'UTC');
  const nine = Date.parse('2026-01-02T09:00:00Z');
  for (const ms of [nine - 20 * 3_600_000, nine - 1, nine - 10 * 3_600_000]) expect(after(ms)).toBe(nine);
  expect([after(nine), after(nine - 30 * 3_600_000)]).toEqual([nine + 24 * 3_600_000, nine - 24 * 3_600_000]);
});

test.each([
  ['0 9 * *', '"0 9 * *" is not a cron expression: it has 4 of 5 fields'],
  ['* * * * * *', 'it has 6 of 5 fields'],
  ['61 * * * *', 'cannot read the cron expression "61 * * * *": Invalid value for minute: 61'],
  ['0 0 30 2 *', '"0 0 30 2 *" never matches a time'],
  ['30m', 'every 30 minutes is "*/30 * * * *"'],
  ['2h', 'every 2 hours is "0 */2 * * *"'],
])('the expression %s is refused with what to write', async (text, message) => {
  await expect(checkCron(text, 'UTC', 0)).rejects.toThrow(message);
});

test('an unknown time zone is refused, and a name such as @daily is accepted', async () => {
  await expect(checkCron('0 9 * * *', 'Mars/Base', 0)).rejects.toThrow('there is no time zone "Mars/Base"');
  expect(await checkCron('  0   9 * * 1-5 ', 'UTC', 0)).toBe('0 9 * * 1-5');
  expect(await checkCron('@daily', 'UTC', 0)).toBe('@daily');
});
