import * as z from 'zod';
import { later, operation } from './later.ts';

const histogram = later(() =>
  z.object({
    sum: z.number(),
    count: z.number(),
    buckets: z
      .array(z.object({ le: z.number(), count: z.number() }))
      .describe('How many are at most `le`, smallest first; the last bucket, which has all, is left out.'),
  }),
);

const family = later(() =>
  z.object({
    name: z.string().describe('Without the endings of samples, such as _total.'),
    type: z.enum(['gauge', 'counter', 'histogram', 'info']),
    unit: z.enum(['', 'seconds', 'bytes', 'ratio']),
    help: z.string(),
    createdMs: z
      .number()
      .nullable()
      .describe('When its counters were 0, wall time; null: it is a gauge, which only says how it is now.'),
    series: z.array(
      z.object({
        labels: z.record(z.string(), z.string()),
        value: z.number().optional().describe('Missing: it is a histogram.'),
        histogram: histogram().optional(),
      }),
    ),
  }),
);

/** Input and output of the operation about metrics. */
export const METRICS = {
  'metrics.read': operation(
    () => z.object({}),
    () => z.object({ families: z.array(family()) }),
  ),
} as const;

/** Samples with the same name. */
export type MetricFamily = z.infer<ReturnType<typeof family>>;
export type MetricHistogram = z.infer<ReturnType<typeof histogram>>;
