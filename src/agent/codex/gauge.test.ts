import { expect, test } from 'vitest';
import { windowsOf } from './gauge.ts';
import { codexServer } from './server.ts';

const PRIMARY = { usedPercent: 41, windowDurationMins: 300, resetsAt: 1_794_737_617 };
const SECONDARY = { usedPercent: 7.5, windowDurationMins: 10_080, resetsAt: 1_794_986_017 };
const WINDOWS = [
  { name: 'five_hour', usedPercent: 41, resetsAtMs: 1_794_737_617_000 },
  { name: 'seven_day', usedPercent: 7.5, resetsAtMs: 1_794_986_017_000 },
];

function reportsOf(rateLimits: object) {
  const data = { method: 'account/rateLimits/updated', params: { rateLimits } };
  return codexServer.receive(codexServer.empty, { is: 'message', data }, { run: 2, nowMs: 0 }).reports;
}

test('the server reports its limits, and the same report has the same key', () => {
  const limits = { limitId: 'codex', primary: PRIMARY, secondary: SECONDARY };
  const [report, ...more] = reportsOf(limits);
  expect(more).toEqual([]);
  expect(report?.says).toEqual({
    type: 'hook.noted',
    run: 2,
    fact: { type: 'usage.gauged', run: 2, windows: WINDOWS },
  });
  expect(reportsOf(limits)[0]?.key).toBe(report?.key);
  expect(reportsOf({ ...limits, primary: { ...PRIMARY, usedPercent: 42 } })[0]?.key).not.toBe(report?.key);
});

test('an account without limits reports nothing', () => {
  expect(reportsOf({ limitId: 'codex', primary: null, secondary: null })).toEqual([]);
});

test('the fields of a rollout mean the same', () => {
  const primary = { used_percent: 41, window_minutes: 300, resets_at: 1_794_737_617 };
  expect(windowsOf({ limit_id: 'codex', primary, secondary: null })).toEqual(WINDOWS.slice(0, 1));
});

test('a limit of one model, or of an unusual length, has a name of its own', () => {
  const odd = { usedPercent: 1, windowDurationMins: 60 };
  const [first, second] = windowsOf({ limitId: 'x', limitName: 'Spark', primary: odd, secondary: { usedPercent: 2 } });
  expect([first, second]).toEqual([
    { name: 'Spark 60_minutes', usedPercent: 1, resetsAtMs: null },
    { name: 'Spark secondary', usedPercent: 2, resetsAtMs: null },
  ]);
});
