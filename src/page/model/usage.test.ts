import { expect, test } from 'vitest';
import { dayBars, dayIn, modelShares, scaleMax, usualMeasure } from './usage.ts';

const sum = (usd: number | null, tokens = 100) => ({ turns: 1, tokens, usd });
const NOON = Date.UTC(2026, 10, 2, 12);
const told = {
  timeZone: 'Europe/Berlin',
  total: sum(3),
  models: [
    { model: 'opus', ...sum(2) },
    { model: null, ...sum(null, 700) },
  ],
  sessions: [],
  days: [
    {
      ...{ day: '2026-11-02', ...sum(2, 900), sessions: [] },
      models: [
        { model: null, ...sum(null, 700) },
        { model: 'opus', ...sum(2, 200) },
      ],
    },
  ],
};

test('every day of the period has a bar, in the time zone of the host, also over a change of the clock', () => {
  const bars = dayBars(told, 9, NOON, 'usd');
  expect(bars.map(({ day }) => day)).toEqual([
    ...['2026-10-25', '2026-10-26', '2026-10-27', '2026-10-28', '2026-10-29'],
    ...['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'],
  ]);
  expect(dayIn('Asia/Tokyo', Date.UTC(2026, 0, 31, 20))).toBe('2026-02-01');
});

test('a bar has its models in one order, and what says no dollars only as tokens', () => {
  expect(dayBars(told, 1, NOON, 'usd')[0]?.parts).toEqual([{ model: 'opus', colour: 1, value: 2 }]);
  expect(dayBars(told, 1, NOON, 'tokens')[0]).toMatchObject({
    total: 900,
    parts: [
      { model: 'opus', colour: 1, value: 200 },
      { model: null, colour: 2, value: 700 },
    ],
  });
  expect(usualMeasure(told)).toBe('usd');
  expect(usualMeasure({ total: sum(null) })).toBe('tokens');
});

test('models beyond the colours share one, and are stacked last', () => {
  const models = Array.from({ length: 8 }, (_, i) => ({ model: `m${i}`, ...sum(8 - i) }));
  expect(modelShares({ models }).map(({ colour }) => colour)).toEqual([1, 2, 3, 4, 5, 6, 0, 0]);
});

test('the scale ends at a round number that holds every bar', () => {
  expect([0, 0.04, 1, 1.2, 7.3, 940, 12_345].map((value) => scaleMax([value]))).toEqual([
    ...[1, 0.04, 1, 1.5, 8, 1_000, 15_000],
  ]);
});
