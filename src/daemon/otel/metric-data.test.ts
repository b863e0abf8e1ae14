import { expect, test } from 'vitest';
import { metricData } from './metric-data.ts';

const base = { help: '', createdMs: 1_000, unit: '' } as const;

test('a counter is a sum that began when ours did', () => {
  const series = [{ labels: { agent: 'a' }, value: 2 }];
  expect(metricData({ ...base, name: 'outlast_run_faults', type: 'counter', series }, 2_000)).toMatchObject({
    descriptor: { name: 'outlast.run.faults', unit: '' },
    isMonotonic: true,
    dataPoints: [{ startTime: [1, 0], endTime: [2, 0], attributes: { agent: 'a' }, value: 2 }],
  });
});

test('a histogram has the number in each bucket, and its unit beside its name', () => {
  const buckets = [
    { le: 1, count: 1 },
    { le: 5, count: 4 },
  ];
  const series = [{ labels: {}, histogram: { sum: 20, count: 6, buckets } }];
  const made = metricData({ ...base, name: 'outlast_turn_seconds', unit: 'seconds', type: 'histogram', series }, 2_000);
  expect(made).toMatchObject({
    descriptor: { name: 'outlast.turn', unit: 's' },
    dataPoints: [{ value: { buckets: { boundaries: [1, 5], counts: [1, 3, 2] }, sum: 20, count: 6 } }],
  });
});
