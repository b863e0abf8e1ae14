import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COUNTERS } from '../../src/daemon/metrics/counters.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/metrics.md'), 'utf8');

test('the guide lists every counter and histogram with its labels and what it counts', () => {
  const rows = Object.entries(COUNTERS).map(([name, { help, labels, ...rest }]) => {
    const words = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`outlast_${name}${'buckets' in rest ? '' : '_total'}\` | ${words} | ${help} |`;
  });
  expect(rows.filter((row) => !GUIDE.includes(row))).toEqual([]);
  expect(rows.length).toBeGreaterThan(30);
});
