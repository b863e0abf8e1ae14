import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

// A collector on loopback. It decodes by the code that protobuf's own compiler for JavaScript made of the published
// definitions of OTLP. The product encodes by other code: later versions of the libraries write the bytes by hand.

interface Decoder {
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): unknown;
}
const root = createRequire(import.meta.url)('otlp-definitions/build/src/generated/root.js');
const { trace, metrics } = root.opentelemetry.proto.collector;
const DECODERS: Readonly<Record<string, Decoder>> = {
  '/v1/traces': trace.v1.ExportTraceServiceRequest,
  '/v1/metrics': metrics.v1.ExportMetricsServiceRequest,
};
const AS = { longs: String, enums: String, bytes: Buffer, defaults: true };

type Value = string | number | boolean | undefined;

/** A span as it arrived. */
export interface GotSpan {
  readonly trace: string;
  readonly span: string;
  readonly parent: string;
  readonly name: string;
  readonly kind: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly status: string;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly resource: Readonly<Record<string, Value>>;
}

/** A metric as it arrived. */
export interface GotMetric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly isMonotonic: boolean; readonly aggregationTemporality: string };
  readonly histogram?: object;
  readonly points: readonly { readonly attributes: Readonly<Record<string, Value>>; readonly value: number }[];
}

/** What a collector answers to a request; null: it does not answer. */
export type Answer = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | null;

export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** In the order of their arrival, also those of requests that were not accepted. */
  readonly requests: readonly { readonly path: string; readonly atMs: number; readonly headers: IncomingHttpHeaders }[];
  /** Of accepted requests. */
  readonly spans: readonly GotSpan[];
  readonly metrics: readonly GotMetric[];
  /** Everything that arrived, as text. */
  bytes(): string;
}

/** Starts a collector. */
export async function collector(answer: (count: number, path: string) => Answer = () => ({ status: 200 }), port = 0) {
  const requests: { path: string; atMs: number; headers: IncomingHttpHeaders }[] = [];
  const spans: GotSpan[] = [];
  const got: GotMetric[] = [];
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? '';
    requests.push({ path, atMs: performance.now(), headers: request.headers });
    bodies.push(Buffer.concat(chunks));
    const reply = answer(requests.filter((each) => each.path === path).length, path);
    if (reply === null) return;
    const decoder = DECODERS[path];
    if (decoder === undefined || request.headers['content-type'] !== 'application/x-protobuf')
      return void response.writeHead(404).end();
    const message = decoder.toObject(decoder.decode(Buffer.concat(chunks)), AS);
    if (reply.status === 200 && path === '/v1/traces') spans.push(...spansIn(message as Traces));
    if (reply.status === 200 && path === '/v1/metrics') got.push(...metricsIn(message as Metrics));
    response.writeHead(reply.status, { 'content-type': 'application/x-protobuf', ...reply.headers }).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const listening = (server.address() as AddressInfo).port;
  const made: Collector = {
    ...{ url: `http://127.0.0.1:${listening}`, port: listening, requests, spans, metrics: got },
    bytes: () => Buffer.concat(bodies).toString('latin1'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return made;
}

interface Attribute {
  readonly key: string;
  readonly value: { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean };
}
interface Traces {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: Attribute[] };
    readonly scopeSpans: {
      readonly spans: {
        readonly [name in 'traceId' | 'spanId' | 'parentSpanId']: Buffer;
      }[];
    }[];
  }[];
}
interface Point {
  readonly attributes: Attribute[];
  readonly asDouble?: number;
  readonly asInt?: string;
  readonly count?: string;
}
interface Metrics {
  readonly resourceMetrics: { readonly scopeMetrics: { readonly metrics: Record<string, never>[] }[] }[];
}

function spansIn({ resourceSpans }: Traces): GotSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      // biome-ignore lint/suspicious/noExplicitAny: the names of the fields are those of the definitions
      spans.map((span: any) => ({
        trace: span.traceId.toString('hex'),
        span: span.spanId.toString('hex'),
        parent: span.parentSpanId.toString('hex'),
        name: span.name,
        kind: span.kind,
        startMs: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
        endMs: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
        status: span.status?.code ?? 'STATUS_CODE_UNSET',
        attributes: attributesOf(span.attributes),
        resource: attributesOf(resource.attributes),
      })),
    ),
  );
}

function metricsIn({ resourceMetrics }: Metrics): GotMetric[] {
  return resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      // biome-ignore lint/suspicious/noExplicitAny: as above
      metrics.map(({ name, unit, gauge, sum, histogram }: any) => ({
        ...{ name, unit },
        ...(sum && { sum: { isMonotonic: sum.isMonotonic, aggregationTemporality: sum.aggregationTemporality } }),
        ...(histogram && { histogram: histogram.dataPoints[0] }),
        points: (gauge ?? sum ?? histogram).dataPoints.map((point: Point) => ({
          attributes: attributesOf(point.attributes),
          value: Number(point.asDouble ?? point.asInt ?? point.count),
        })),
      })),
    ),
  );
}

function attributesOf(attributes: readonly Attribute[]): Record<string, Value> {
  const all = attributes.map(({ key, value }) => {
    const { stringValue, intValue, doubleValue, boolValue } = value;
    return [key, stringValue ?? boolValue ?? doubleValue ?? (intValue === undefined ? undefined : Number(intValue))];
  });
  return Object.fromEntries(all);
}
