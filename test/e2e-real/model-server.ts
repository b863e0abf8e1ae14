// A model on loopback that plays the script in the prompt. To try it by hand:
//   node test/e2e-real/model-server.ts
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf, eventsOf, type StreamEvent } from './answer.ts';
import { type Message, type Place, placeIn, type Step } from './story.ts';

/** The server, until it is closed. */
export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  /** Every request for a message so far, oldest first. */
  requests(): readonly ModelRequest[];
  close(): Promise<void>;
}

/** A request for a message. */
export interface ModelRequest {
  readonly conversation: string | null;
  readonly model: string;
  readonly prompt: string;
  /** The number of the step that was played; null without a script and for a side call. */
  readonly step: number | null;
  /** The tools that the model may call. Side calls, for titles and the like, have none. */
  readonly tools: readonly string[];
  readonly isStream: boolean;
  /** The whole system prompt. */
  readonly system: string;
  /** The messages since its last reply, as JSON: a prompt, or tool results and what came with them. */
  readonly sinceReply: string;
  /** The kind of thinking, and its tokens or effort. */
  readonly thinking: string;
}

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name?: string }[];
  readonly messages: readonly Message[];
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number };
  readonly output_config?: { readonly effort?: string };
  readonly system?: string | readonly { readonly text?: string }[];
}

/** Starts the server on a free port of loopback. */
export async function startModelServer(port = 0): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const played = new Map<string, number>();
  const server = createServer((request, response) => {
    // Stories kill clients in the middle of a request.
    response.on('error', () => {});
    serve(request, response, { requests, played }).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done));
  const close = (): Promise<void> => closed(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests: () => [...requests], close, [Symbol.asyncDispose]: close };
}

interface Memory {
  readonly requests: ModelRequest[];
  /** How often each fault with a count was played. */
  readonly played: Map<string, number>;
}

function closed(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

async function serve(request: IncomingMessage, response: ServerResponse, memory: Memory): Promise<void> {
  const path = request.url?.split('?')[0];
  const body = await bodyOf(request);
  if (request.method === 'HEAD') response.writeHead(200).end();
  else if (path === '/v1/messages/count_tokens') sendJson(response, 200, { input_tokens: 10 });
  else if (request.method === 'POST' && path === '/v1/messages')
    await answer(request, response, JSON.parse(body), memory);
  else sendJson(response, 404, apiError(404, `there is no ${request.method} ${path}`));
}

async function answer(request: IncomingMessage, response: ServerResponse, asked: Asked, memory: Memory): Promise<void> {
  const conversation = request.headers['x-claude-code-session-id']?.toString() ?? null;
  const tools = (asked.tools ?? []).map(({ name = '' }) => name);
  const place = placeIn(asked.messages);
  const [number, step] = tools.length > 0 ? stepNow(place, conversation ?? '', memory.played) : [null, { text: 'ok' }];
  const isStream = asked.stream === true;
  const { model } = asked;
  memory.requests.push({
    ...{ conversation, model, prompt: place.prompt, step: number, tools, isStream },
    system: systemOf(asked),
    thinking: thinkingIn(asked),
    sinceReply: JSON.stringify(
      asked.messages.slice(asked.messages.findLastIndex(({ role }) => role === 'assistant') + 1),
    ),
  });
  await sleep(step.delayMs ?? 0);
  if (step.reset === true) response.destroy();
  else if (step.status !== undefined) sendError(response, step.status, step);
  else if (step.hang !== 'headers') await play(response, step, asked);
}

/** The next fault, or the answer after the faults. */
function stepNow(place: Place, conversation: string, played: Map<string, number>): [number | null, Step] {
  for (const [number, step] of place.faults) {
    const key = `${conversation} ${place.carrier} ${number}`;
    const times = played.get(key) ?? 0;
    if (times >= (step.times ?? Number.POSITIVE_INFINITY)) continue;
    played.set(key, times + 1);
    return [number, step];
  }
  return [place.number, place.answer];
}

async function play(response: ServerResponse, step: Step, { model, stream }: Asked): Promise<void> {
  const message = answerOf(step, model);
  if (stream !== true && step.hang === undefined) return sendJson(response, 200, message);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const events = eventsOf(message, step.pace !== undefined);
  const first = events.findIndex(({ type }) => type === 'content_block_delta');
  for (const [i, event] of events.entries()) {
    if (response.destroyed || (step.hang !== undefined && i >= first)) break;
    send(response, event);
    if (step.pace !== undefined && event.type === 'content_block_delta') await sleep(step.pace);
  }
  if (step.hang === undefined) response.end();
  while (step.hang === 'pings' && !response.destroyed) {
    send(response, { type: 'ping' });
    await sleep(1000, undefined, { ref: false });
  }
}

function send(response: ServerResponse, event: StreamEvent): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function sendError(response: ServerResponse, status: number, { headers = {}, body }: Step): void {
  sendJson(response, status, body ?? apiError(status, `the script says ${status}`), headers);
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function apiError(status: number, message: string): unknown {
  return { type: 'error', error: { type: ERROR_TYPES[status] ?? 'api_error', message } };
}

function systemOf({ system = '' }: Asked): string {
  return typeof system === 'string' ? system : system.map(({ text = '' }) => text).join('\n');
}

function thinkingIn({ thinking, output_config }: Asked): string {
  return [thinking?.type ?? 'none', thinking?.budget_tokens ?? output_config?.effort ?? ''].join(' ').trim();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

if (import.meta.main) {
  const { url } = await startModelServer(Number(process.argv[2] ?? 0));
  process.stdout.write(`${url}\n`);
}
