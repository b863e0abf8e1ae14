import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gaugeOf } from './gauge.ts';
import { claudeListener } from './stream-tools.ts';

const CASES = join(import.meta.dirname, 'cases', 'stream');

/** All reports about limits in the output of a real run. */
function gauged(name: string) {
  const listen = claudeListener(3);
  const text = readFileSync(join(CASES, name, 'output.ndjson'), 'utf8');
  const reports = text.split('\n').flatMap((line) => listen(line));
  return reports.flatMap((report) =>
    report.type === 'hook.noted' && report.fact.type === 'usage.gauged' ? [report.fact] : [],
  );
}

const ENDS_MS = 1_794_737_617_000;

test('a warning says how much of the limit is used', () => {
  const windows = [{ name: 'five_hour', usedPercent: 93, resetsAtMs: ENDS_MS }];
  expect(gauged('oauth-usage-limit-warning')).toEqual([{ type: 'usage.gauged', run: 3, windows }]);
});

test('a limit that refuses is used up, also where only its end is reported', () => {
  const fiveHour = { name: 'five_hour', usedPercent: 100, resetsAtMs: ENDS_MS };
  expect(gauged('oauth-usage-limit-rejected-5h')).toMatchObject([{ windows: [fiveHour] }]);
  const weekly = { name: 'seven_day', usedPercent: 100, resetsAtMs: 1_794_986_017_000 };
  expect(gauged('oauth-usage-limit-rejected-7d')).toMatchObject([{ windows: [fiveHour, weekly] }]);
  const info = { status: 'rejected', resetsAt: 7, rateLimitType: 'five_hour' };
  const line = JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info });
  expect(gaugeOf(line, 1)?.windows).toEqual([{ ...fiveHour, resetsAtMs: 7_000 }]);
});

test('a line without a limit reports none', () => {
  expect(gauged('oauth-ok')).toEqual([]);
  expect(gauged('429-once-retry-after-2')).toEqual([]);
  const quoted = { type: 'assistant', message: { content: [{ type: 'text', text: '"rate_limit_event"' }] } };
  expect(gaugeOf(JSON.stringify(quoted), 1)).toBeNull();
});

test('nothing in such a line makes the parser throw', () => {
  const line = (info: unknown): string => JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info });
  fc.assert(fc.property(fc.anything(), (info) => void gaugeOf(line(info === undefined ? null : info), 1)));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (all) => void gaugeOf(line({ unifiedWindows: all }), 1)),
  );
});
