import type { MetricFamily } from '../api/contract-metrics.ts';

/** The two texts that scrapers read: the standard, and the one before it, which every scraper knows. */
export type MetricsFormat = 'openmetrics' | 'prometheus';

/** How each is announced over HTTP. */
export const METRICS_TYPES: Readonly<Record<MetricsFormat, string>> = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
};

/** The families as text, each line ended. */
export function metricsText(families: readonly MetricFamily[], format: MetricsFormat = 'openmetrics'): string {
  const isOpen = format === 'openmetrics';
  const parts = families.map((family) => [
    ...headOf(family, isOpen),
    ...family.series.flatMap(linesOf(family, isOpen)),
  ]);
  return [...parts.flat(), ...(isOpen ? ['# EOF'] : [])].map((line) => `${line}\n`).join('');
}

/** The name that its samples have, without labels, as queries use it. */
export function sampleNames({ name, type }: Pick<MetricFamily, 'name' | 'type'>): string[] {
  if (type === 'counter') return [`${name}_total`];
  if (type === 'info') return [`${name}_info`];
  return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name];
}

function headOf({ name, type, unit, help }: MetricFamily, isOpen: boolean): string[] {
  // The older text has no family: there a counter and an info are called as their samples are.
  const [sample = name] = type === 'histogram' ? [name] : sampleNames({ name, type });
  const own = isOpen ? name : sample;
  const ownType = !isOpen && type === 'info' ? 'gauge' : type;
  return [
    `# TYPE ${own} ${ownType}`,
    ...(isOpen && unit !== '' ? [`# UNIT ${own} ${unit}`] : []),
    `# HELP ${own} ${escaped(help, isOpen)}`,
  ];
}

type Line = (series: MetricFamily['series'][number]) => string[];

function linesOf({ name, type, createdMs }: MetricFamily, isOpen: boolean): Line {
  return ({ labels, value = 0, histogram }) => {
    const own = labelText(labels);
    const created = isOpen && createdMs !== null ? [`${name}_created${own} ${createdMs / 1_000}`] : [];
    if (histogram === undefined) return [`${sampleNames({ name, type })[0]}${own} ${value}`, ...created];
    const { buckets, count, sum } = histogram;
    const all = [...buckets.map(({ le, count }) => [bound(le, isOpen), count] as const), ['+Inf', count] as const];
    return [
      ...all.map(([le, below]) => `${name}_bucket${labelText({ ...labels, le })} ${below}`),
      `${name}_sum${own} ${sum}`,
      `${name}_count${own} ${count}`,
      ...created,
    ];
  };
}

/** The standard wants bounds in one form: 1.0, not 1. */
function bound(le: number, isOpen: boolean): string {
  return isOpen && Number.isInteger(le) ? `${le}.0` : String(le);
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value, true)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(text: string, quotes: boolean): string {
  const plain = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return quotes ? plain.replaceAll('"', '\\"') : plain;
}
