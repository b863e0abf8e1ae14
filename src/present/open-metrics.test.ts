import { expect, test } from 'vitest';
import type { MetricFamily } from '../api/contract-metrics.ts';
import { metricsText } from './open-metrics.ts';

const COUNTER: MetricFamily = {
  name: 'outlast_x',
  type: 'counter',
  unit: '',
  help: 'A "help" with \\ and\na line.',
  createdMs: 1_500,
  series: [{ labels: { agent: 'a"b\\c\nd' }, value: 2 }],
};
const HISTOGRAM: MetricFamily = {
  name: 'outlast_y_seconds',
  type: 'histogram',
  unit: 'seconds',
  help: 'Y.',
  createdMs: 1_500,
  series: [
    {
      labels: {},
      histogram: {
        sum: 3.5,
        count: 2,
        buckets: [
          { le: 0.5, count: 1 },
          { le: 1, count: 1 },
        ],
      },
    },
  ],
};

test('writes OpenMetrics', () => {
  expect(metricsText([COUNTER, HISTOGRAM])).toBe(String.raw`# TYPE outlast_x counter
# HELP outlast_x A \"help\" with \\ and\na line.
outlast_x_total{agent="a\"b\\c\nd"} 2
outlast_x_created{agent="a\"b\\c\nd"} 1.5
# TYPE outlast_y_seconds histogram
# UNIT outlast_y_seconds seconds
# HELP outlast_y_seconds Y.
outlast_y_seconds_bucket{le="0.5"} 1
outlast_y_seconds_bucket{le="1.0"} 1
outlast_y_seconds_bucket{le="+Inf"} 2
outlast_y_seconds_sum 3.5
outlast_y_seconds_count 2
outlast_y_seconds_created 1.5
# EOF
`);
});

test('writes the text of older scrapers', () => {
  expect(metricsText([COUNTER], 'prometheus')).toBe(String.raw`# TYPE outlast_x_total counter
# HELP outlast_x_total A "help" with \\ and\na line.
outlast_x_total{agent="a\"b\\c\nd"} 2
`);
});
