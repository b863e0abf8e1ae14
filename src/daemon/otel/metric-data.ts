import { type HrTime, ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import type { MetricFamily } from '../../api/contract-metrics.ts';

/** Units as OpenTelemetry writes them. A collector for Prometheus makes the ending of the name from it again. */
const UNITS = { '': '', seconds: 's', bytes: 'By', ratio: '1' } as const;

/** A family as the SDK has it. */
export function metricData({ name, type, unit, help, createdMs, series }: MetricFamily, nowMs: number): MetricData {
  const bare = unit === '' ? name : name.replace(new RegExp(`_${unit}$`), '');
  const endTime = millisToHrTime(nowMs);
  const times = { startTime: createdMs === null ? endTime : millisToHrTime(createdMs), endTime };
  const base = {
    descriptor: {
      name: `${bare.replaceAll('_', '.')}${type === 'info' ? '.info' : ''}`,
      description: help,
      unit: UNITS[unit],
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (type === 'histogram')
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: points(series, times) };
  const dataPoints = series.map(({ labels, value = 0 }) => ({ ...times, attributes: labels, value }));
  if (type === 'counter') return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
  return { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
}

function points(series: MetricFamily['series'], times: { startTime: HrTime; endTime: HrTime }) {
  return series.flatMap(({ labels, histogram }) => {
    if (histogram === undefined) return [];
    const { buckets, sum, count } = histogram;
    // Ours say how many are at most as long; theirs, how many are in each.
    const counts = [...buckets.map((bucket) => bucket.count), count];
    const own = counts.map((upTo, i) => upTo - (counts[i - 1] ?? 0));
    const value = { buckets: { boundaries: buckets.map(({ le }) => le), counts: own }, sum, count };
    return [{ ...times, attributes: labels, value }];
  });
}
