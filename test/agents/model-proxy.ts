import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Stage } from './stage.ts';

/** The error that the proxy returns instead of the model's answer. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as JSON, or a stream of events as it is. */
  readonly body: unknown;
}

/** Why the API of a model refuses. untilMs: the end of the limit. */
export type RefusalReason =
  | { readonly is: 'limited'; readonly untilMs: number; readonly window: 'five-hour' | 'weekly' }
  | { readonly is: 'login' | 'billing' | 'too-long' | 'poisoned' | 'invalid' };

/** A request for a message, as the proxy sees it. */
export interface ModelRequest {
  readonly conversation: string | null;
  /** All its messages, as JSON. */
  readonly messages: string;
}

/** A proxy in front of the model that can refuse requests, however often an agent retries. */
export interface ModelProxy extends AsyncDisposable {
  /** The stage's environment, with the proxy in place of the model. */
  readonly env: Record<string, string>;
  /** The error for every request; null: see `refusalFor`. */
  refusal: Refusal | null;
  /** The error for one request; null: the model answers. */
  refusalFor: (request: ModelRequest) => Refusal | null;
  /** Changes the body of a request before the model gets it. */
  rewrite: (body: string) => string;
  /** Headers that are added to the answers of the model. */
  headers: Readonly<Record<string, string>>;
  /** Called with every request for a message, before it is answered. */
  onRequest: () => void;
  /** The number of requests for a message so far. */
  requestCount: number;
}

/** Starts a proxy in front of the model of a stage. */
export async function openModelProxy(stage: Stage, refusal: Refusal | null = null): Promise<ModelProxy> {
  const model = stage.model?.url ?? '';
  const server = createServer((from, to) => {
    to.on('error', () => {});
    const isModelRequest = from.method === 'POST' && from.url?.split('?')[0] === stage.agent.modelPath;
    if (isModelRequest) {
      proxy.requestCount += 1;
      proxy.onRequest();
    }
    if (!isModelRequest) return pass(from, to, model);
    if (proxy.refusal !== null) return refuse(from, to, proxy.refusal);
    answerOrRefuse(from, to, { model, proxy }).catch(() => to.destroy());
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  const proxy: ModelProxy = {
    env: stage.agent.environment(stage.root, url),
    refusal,
    refusalFor: () => null,
    rewrite: (body) => body,
    headers: {},
    onRequest: () => {},
    requestCount: 0,
    [Symbol.asyncDispose]: close,
  };
  return proxy;
}

function refuse(from: IncomingMessage, to: ServerResponse, refusal: Refusal): void {
  // A client that is answered before its request was read sees a broken connection.
  from.resume().on('end', () => refuseNow(to, refusal));
}

function refuseNow(to: ServerResponse, { status, headers, body }: Refusal): void {
  const isStream = typeof body === 'string';
  to.writeHead(status, { 'content-type': isStream ? 'text/event-stream' : 'application/json', ...headers });
  to.end(isStream ? body : JSON.stringify(body));
}

async function answerOrRefuse(
  from: IncomingMessage,
  to: ServerResponse,
  { model, proxy }: { model: string; proxy: ModelProxy },
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of from) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const conversation = from.headers['x-claude-code-session-id']?.toString() ?? null;
  const refusal = proxy.refusalFor({
    conversation,
    messages: JSON.stringify(JSON.parse(body.toString('utf8')).messages),
  });
  if (refusal !== null) return refuseNow(to, refusal);
  for (const [name, value] of Object.entries(proxy.headers)) to.setHeader(name, value);
  pass(from, to, model, Buffer.from(proxy.rewrite(body.toString('utf8'))));
}

function pass(from: IncomingMessage, to: ServerResponse, model: string, body: Buffer | null = null): void {
  const headers = { ...from.headers, ...(body !== null && { 'content-length': body.length }) };
  const onward = request(new URL(from.url ?? '/', model), { method: from.method, headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => to.destroy()).pipe(to);
  });
  onward.on('error', () => to.destroy());
  to.on('close', () => onward.destroy());
  if (body === null) from.pipe(onward);
  else onward.end(body);
}
