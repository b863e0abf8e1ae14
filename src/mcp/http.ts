import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { isPreflight, welcome } from './pages-allowed.ts';
import { makeServer, type Parts } from './server.ts';
import { listenedTo } from './stdio-wire.ts';
import { Updates } from './updates.ts';

/** Where to listen, and which clients to serve. */
export interface HttpOptions {
  readonly address: string;
  readonly port: number;
  readonly token: string;
  /** Hosts that a request may name, besides the names of this machine. */
  readonly hosts: readonly string[];
  /** Web pages that may call; none unless they are named. */
  readonly origins: readonly string[];
  /** Stops the server. */
  readonly signal: AbortSignal;
}

/** Why a request is not served. */
interface Refusal {
  readonly status: number;
  readonly message: string;
}

const PATH = '/mcp';
const BODY_BYTES_MAX = 4 * 1024 * 1024;
const CONNECTIONS_MAX = 1_024;
/** Interval of keep-alives on streamed answers: often enough for proxies, and no more. */
const ALIVE_MS = 45_000;
/** A connection without any progress for this long has no reader. */
const STILL_MS_MAX = 120_000;

/** Serves many callers over HTTP until the signal fires; `onReady` gets the address. */
export async function serveOnHttp(parts: Parts, options: HttpOptions, onReady: (url: string) => void): Promise<void> {
  // A client of the 2025 protocol reconnects for each request: there is no connection to report a change to.
  const handler = createMcpHandler(({ era }) => makeServer(parts, era === 'modern' ? updates : null), {
    responseMode: 'sse',
    keepAliveMs: ALIVE_MS,
  });
  const updates = new Updates(parts.outlast, parts.clock, (uri) => handler.notify.resourceUpdated(uri));
  const serve = toNodeHandler(handler) as (...call: [IncomingMessage, ServerResponse, unknown?]) => Promise<void>;
  const server = createServer((request, response) => {
    response.on('error', () => {});
    take(request, response).catch(() => response.destroy());
  });
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request, options, (server.address() as AddressInfo).port);
    welcome(request, response, options.origins);
    if (refusal !== null) return refuse(response, refusal);
    if (isPreflight(request)) return void response.writeHead(204).end();
    if (request.method !== 'POST') return serve(request, response);
    const body = await bodyOf(request);
    if (body === undefined) return refuse(response, { status: 413, message: `more than ${BODY_BYTES_MAX} bytes` });
    if (parts.grants.has('read')) watchFor(response, body, updates);
    await serve(request, response, body);
  };
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = STILL_MS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.address, resolve);
  });
  onReady(`http://${nameOf(options.address)}:${(server.address() as AddressInfo).port}${PATH}`);
  await new Promise<void>((resolve) => {
    if (options.signal.aborted) resolve();
    options.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  updates.close();
  await handler.close();
  server.closeAllConnections();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  parts.outlast.close();
}

/**
 * The Host header is checked first: a page that points its own name to this machine must not get far enough to guess a
 * token. A browser sends the origin of a page; a client without one is not a browser.
 */
function refusalOf(request: IncomingMessage, options: HttpOptions, port: number): Refusal | null {
  const { headers, url } = request;
  const own = ['127.0.0.1', 'localhost', '[::1]', nameOf(options.address)].map((name) => `${name}:${port}`);
  const { host = '', origin } = headers;
  if (![...own, ...options.hosts].includes(host)) return { status: 403, message: `host "${host}" is not served here` };
  if (origin !== undefined && !options.origins.includes(origin))
    return { status: 403, message: `origin "${origin}" is not allowed` };
  if (url?.split('?')[0] !== PATH) return { status: 404, message: `there is only ${PATH}` };
  if (!isPreflight(request) && !isSame(headers.authorization ?? '', `Bearer ${options.token}`))
    return { status: 401, message: 'the token is missing or wrong' };
  return null;
}

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  const more = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  // The rest of the request is not read: the connection is closed with the answer.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...more });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }));
}

/** Compares in constant time. */
function isSame(given: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}

/** The request body, as JSON or as text; undefined when it is too long. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    // Invalid JSON is passed on: the protocol handler has the right error for it.
    return text;
  }
}

/** Watches the named resources for as long as the answer to a listen request lasts. */
function watchFor(response: ServerResponse, body: unknown, updates: Updates): void {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: Record<string, unknown> };
  if (method !== 'subscriptions/listen') return;
  for (const uri of listenedTo(params)) updates.watch(response, uri);
  response.once('close', () => updates.unwatch(response));
}

function nameOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
