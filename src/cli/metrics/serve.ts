import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MetricFamily } from '../../api/contract-metrics.ts';
import { METRICS_TYPES, type MetricsFormat, metricsText } from '../../present/open-metrics.ts';
import { wrongCall } from '../base/parse.ts';

/** What is served, and where. */
export interface ServeOptions {
  readonly port: number;
  read(signal: AbortSignal): Promise<readonly MetricFamily[]>;
  /** Called with the address when it listens. */
  onReady(url: string): unknown;
  /** Stops the server. */
  readonly signal: AbortSignal;
}

const ADDRESS = '127.0.0.1';
const PATH = '/metrics';
/** Scrapers wait ten seconds, unless they are told otherwise. */
const READ_MS_MAX = 8_000;
const CONNECTIONS_MAX = 32;
/** A request is a few lines. A connection that sends less has no scraper behind it. */
const REQUEST_MS_MAX = 10_000;

/** Serves the metrics on loopback until the signal fires. Each request reads them again. */
export async function serveMetrics(options: ServeOptions): Promise<void> {
  const { createServer } = process.getBuiltinModule('node:http');
  const server: Server = createServer({ requestTimeout: REQUEST_MS_MAX }, (request, response) => {
    response.on('error', () => {});
    const { port } = server.address() as AddressInfo;
    answer(request, response, port, options).catch(() => response.destroy());
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, ADDRESS, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw wrongCall(`metrics: port ${options.port} is used by another program; choose another: --listen PORT`);
  });
  options.onReady(`http://${ADDRESS}:${(server.address() as AddressInfo).port}${PATH}`);
  await new Promise<void>((resolve) => {
    if (options.signal.aborted) resolve();
    options.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  server.closeAllConnections();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
}

async function answer(
  { method, headers, url }: IncomingMessage,
  response: ServerResponse,
  port: number,
  { read }: ServeOptions,
): Promise<void> {
  // A web page that points its own name to this machine must not read them.
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].some((name) => headers.host === `${name}:${port}`);
  if (!isHere) return refuse(response, 403, `the host "${headers.host ?? ''}" is not served here`);
  if (url?.split('?')[0] !== PATH) return refuse(response, 404, `there is only ${PATH}`);
  if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'only GET and HEAD are allowed');
  const format: MetricsFormat = (headers.accept ?? '').includes('application/openmetrics-text')
    ? 'openmetrics'
    : 'prometheus';
  let text: string;
  try {
    text = metricsText(await read(AbortSignal.timeout(READ_MS_MAX)), format);
  } catch (error) {
    return refuse(response, 503, `the daemon does not answer: ${error instanceof Error ? error.message : error}`);
  }
  response.writeHead(200, { 'content-type': METRICS_TYPES[format], 'content-length': Buffer.byteLength(text) });
  response.end(method === 'HEAD' ? undefined : text);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${message}\n`);
}
