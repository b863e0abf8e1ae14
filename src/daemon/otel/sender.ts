import { readFile } from 'node:fs/promises';
import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, millisToHrTime } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { CollectionResult } from '@opentelemetry/sdk-metrics';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { MetricFamily } from '../../api/contract-metrics.ts';
import { metricData } from './metric-data.ts';
import type { Begin, Sent } from './protocol.ts';
import type { SpanRecord } from './span.ts';

/** Sends what it is told to, by the exporters of the SDK: over HTTP, as protobuf. */
export class Sender {
  readonly #resource: Resource;
  readonly #scope: { readonly name: string; readonly version: string };
  readonly #traces: OTLPTraceExporter;
  readonly #metrics: OTLPMetricExporter;
  readonly #reader: MetricReader;
  #families: readonly MetricFamily[] = [];
  #nowMs = 0;

  constructor({ endpoint, headers, timeoutMs, resource, version }: Begin) {
    this.#resource = resourceFromAttributes({ 'service.name': 'outlast', 'service.version': version, ...resource });
    this.#scope = { name: 'outlast', version };
    const options = { headers: () => headersOf(headers), timeoutMillis: timeoutMs };
    const url = (signal: string): string => `${endpoint.replace(/\/+$/, '')}/v1/${signal}`;
    this.#traces = new OTLPTraceExporter({ ...options, url: url('traces') });
    this.#metrics = new OTLPMetricExporter({ ...options, url: url('metrics') });
    this.#reader = new AskedReader({ metricProducers: [{ collect: async () => this.#collected() }] });
    new MeterProvider({ resource: this.#resource, readers: [this.#reader] });
  }

  spans(records: readonly SpanRecord[]): Promise<Sent> {
    const spans = records.map((record) => this.#readable(record));
    return sent((done) => this.#traces.export(spans, done));
  }

  async metrics(families: readonly MetricFamily[], nowMs: number): Promise<Sent> {
    this.#families = families;
    this.#nowMs = nowMs;
    const { resourceMetrics } = await this.#reader.collect();
    return sent((done) => this.#metrics.export(resourceMetrics, done));
  }

  #collected(): CollectionResult {
    const metrics = this.#families.map((family) => metricData(family, this.#nowMs));
    const scopeMetrics = [{ scope: this.#scope, metrics }];
    return { resourceMetrics: { resource: this.#resource, scopeMetrics }, errors: [] };
  }

  #readable(record: SpanRecord): ReadableSpan {
    const context = (spanId: string) => ({ traceId: record.trace, spanId, traceFlags: TraceFlags.SAMPLED });
    return {
      name: record.name,
      kind: record.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      spanContext: () => context(record.span),
      ...(record.parent !== null && { parentSpanContext: context(record.parent) }),
      startTime: millisToHrTime(record.startMs),
      endTime: millisToHrTime(record.endMs),
      duration: millisToHrTime(record.endMs - record.startMs),
      status: { code: record.error === null ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
      attributes: record.attributes,
      ...{ links: [], events: [], ended: true, droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
      resource: this.#resource,
      instrumentationScope: this.#scope,
    };
  }
}

/** Collects only when it is asked to: the daemon has the clock. */
class AskedReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}

  protected override async onShutdown(): Promise<void> {}
}

type Headers = Begin['headers'];

/** Secrets are read from their files for each request, so that a new one is used at once. */
async function headersOf(headers: Headers): Promise<Record<string, string>> {
  const all = Object.entries(headers).map(async ([name, value]) => {
    return [name, typeof value === 'string' ? value : (await readFile(value.file, 'utf8')).trim()] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}

function sent(act: (done: (result: ExportResult) => void) => void): Promise<Sent> {
  return new Promise((resolve) =>
    act(({ code, error }) => {
      if (code === ExportResultCode.SUCCESS) return resolve({ ok: true });
      // The exporter has a status only for answers that must not be tried again.
      const status = (error as { code?: unknown } | undefined)?.code;
      const isAnswer = typeof status === 'number';
      const why = isAnswer ? `it answered ${status}` : (error?.message ?? 'unknown');
      resolve({ ok: false, why, isFinal: isAnswer && FINAL.includes(status) });
    }),
  );
}

/** Answers about the data itself. Another one, such as 401, is about the config, which a person can put right. */
const FINAL: readonly number[] = [400, 413, 415, 422];
