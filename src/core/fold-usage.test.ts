import { expect, test } from 'vitest';
import { READY, sessionAfter, TURNS } from '../testing/sessions.ts';
import { admitHook } from './admit-hook.ts';
import type { Gauged } from './event-body.ts';
import type { LimitWindow } from './usage.ts';

const five: LimitWindow = { name: 'five_hour', usedPercent: 40, resetsAtMs: 5_000 };
const week: LimitWindow = { name: 'seven_day', usedPercent: 7, resetsAtMs: 9_000 };
const gauged = (run: number, ...windows: readonly LimitWindow[]): Gauged => ({ type: 'usage.gauged', run, windows });
const news = (fact: Gauged, ...before: readonly Gauged[]) =>
  admitHook(sessionAfter(TURNS, ...READY, ...before), { type: 'hook.noted', run: fact.run, fact });

test('the last report about each limit is kept, with its time', () => {
  const s = sessionAfter(TURNS, ...READY, gauged(1, five, week), gauged(1, { ...five, usedPercent: 41 }));
  expect(s.accounting.gauges).toMatchObject([week, { ...five, usedPercent: 41 }]);
  const [first, second] = s.accounting.gauges ?? [];
  expect(second?.atMs).toBeGreaterThan(first?.atMs ?? 0);
});

test('a report is recorded if a run says something new', () => {
  expect(news(gauged(1, five))).toEqual([gauged(1, five)]);
  expect(news(gauged(1, five), gauged(1, five, week))).toEqual([]);
  expect(news(gauged(1, { ...five, usedPercent: 41 }), gauged(1, five))).toHaveLength(1);
  expect(news(gauged(1, { ...five, resetsAtMs: 6_000 }), gauged(1, five))).toHaveLength(1);
  // Another run saw it again: it is as new as that.
  expect(news(gauged(2, five), gauged(1, five))).toHaveLength(1);
});
