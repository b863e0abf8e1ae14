// A model on loopback that plays the script in the prompt. To try it by hand:
//   node test/e2e-real/model-server.ts
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamEvent } from './answer.ts';
import { MESSAGES_API } from './messages-api.ts';
import type { AskedModel, ModelApi } from './model-api.ts';
import { isFault, type Place, placeIn, type Step } from './story.ts';

/** The server, until it is closed. */
export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  /** Every request for a message so far, oldest first. */
  requests(): readonly ModelRequest[];
  /** Sends what it holds back, and holds nothing back any more. */
  goOn(): void;
  /** Plays no more faults. */
  recover(): void;
  close(): Promise<void>;
}

/** A request for a message. */
export interface ModelRequest extends Omit<AskedModel, 'messages'> {
  readonly prompt: string;
  /** The number of the step that was played; null without a script and for a side call. */
  readonly step: number | null;
  /** The messages since its last reply, as JSON: a prompt, or tool results and what came with them. */
  readonly sinceReply: string;
  /** How much of the answer was sent. */
  readonly sent: 'nothing' | 'half' | 'whole';
  /** The pictures in the request, in base64. */
  readonly pictures: readonly string[];
}

/** Starts the server on a free port of loopback. */
export async function startModelServer(port = 0, api = MESSAGES_API): Promise<ModelServer> {
  const requests: Asked[] = [];
  const played = new Map<string, number>();
  const [held, told] = [new Set<number | null>(), Promise.withResolvers<void>()];
  const health = { isWell: false };
  const server = createServer((request, response) => {
    // Stories kill clients in the middle of a request.
    response.on('error', () => {});
    serve(request, response, { api, requests, played, health, held, told: told.promise }).catch(() =>
      response.destroy(),
    );
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done));
  const close = (): Promise<void> => closed(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const all = (): ModelRequest[] => requests.map((request) => ({ ...request }));
  const recover = (): void => {
    health.isWell = true;
  };
  return { url, requests: all, goOn: told.resolve, recover, close, [Symbol.asyncDispose]: close };
}

type Asked = Omit<ModelRequest, 'sent'> & { sent: ModelRequest['sent'] };

interface Memory {
  readonly api: ModelApi;
  readonly requests: Asked[];
  /** How often each fault with a count was played. */
  readonly played: Map<string, number>;
  readonly health: { readonly isWell: boolean };
  /** The numbers of the answers that were held back. */
  readonly held: Set<number | null>;
  readonly told: Promise<void>;
}

function closed(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

async function serve(request: IncomingMessage, response: ServerResponse, memory: Memory): Promise<void> {
  const { api } = memory;
  const path = request.url?.split('?')[0] ?? '';
  const body = await bodyOf(request);
  if (request.method === 'HEAD') return void response.writeHead(200).end();
  if (request.method === 'POST' && path === api.path)
    return answer(response, { asked: api.read(JSON.parse(body), request.headers), pictures: picturesIn(body) }, memory);
  const other = api.other(request.method ?? '', path);
  if (other !== null) return sendJson(response, 200, other);
  sendJson(response, 404, api.error(404, `there is no ${request.method} ${path}`));
}

/** Every API has a picture as a string of its own or as a data URL; what it decodes to begins like a PNG or a JPEG. */
function picturesIn(body: string): string[] {
  return body.match(/(?:iVBORw0KGgo|\/9j\/)[A-Za-z0-9+/]{100,}=*/g) ?? [];
}

async function answer(
  response: ServerResponse,
  { asked, pictures }: { readonly asked: AskedModel; readonly pictures: readonly string[] },
  memory: Memory,
): Promise<void> {
  const { messages, ...known } = asked;
  const place = placeIn(messages);
  const isMain = asked.tools.length > 0;
  const [number, step] = isMain ? stepNow(place, asked.conversation ?? '', memory) : [null, { text: 'ok' }];
  const sinceReply = JSON.stringify(messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1));
  const request: Asked = { ...known, prompt: place.prompt, step: number, sinceReply, pictures, sent: 'nothing' };
  memory.requests.push(request);
  const isHeld = step.held !== undefined && !memory.held.has(number);
  if (isHeld) memory.held.add(number);
  await (isHeld && step.held === 'whole' ? memory.told : sleep(step.delayMs ?? 0));
  const half = isHeld && step.held === 'half' ? memory.told : null;
  const onHalf = async (): Promise<void> => {
    if (half !== null) request.sent = 'half';
    await half;
  };
  if (step.reset === true) response.destroy();
  else if (step.status !== undefined) sendError(response, step.status, step, memory.api);
  else if (step.hang !== 'headers') await play(response, step, asked, memory.api, onHalf);
  if (!isFault(step)) request.sent = 'whole';
}

/** The next fault, or the answer after the faults. */
function stepNow(place: Place, conversation: string, { played, health }: Memory): [number | null, Step] {
  for (const [number, step] of health.isWell ? [] : place.faults) {
    const key = `${conversation} ${place.carrier} ${number}`;
    const times = played.get(key) ?? 0;
    if (times >= (step.times ?? Number.POSITIVE_INFINITY)) continue;
    played.set(key, times + 1);
    return [number, step];
  }
  return [place.number, place.answer];
}

async function play(
  response: ServerResponse,
  step: Step,
  asked: AskedModel,
  api: ModelApi,
  onHalf: () => Promise<void>,
): Promise<void> {
  if (!asked.isStream && step.hang === undefined) return sendJson(response, 200, api.whole(step, asked));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const events = api.events(step, asked);
  const first = events.findIndex(api.isPiece);
  const half = first + Math.floor(events.filter(api.isPiece).length / 2);
  for (const [i, event] of events.entries()) {
    if (i === half) await onHalf();
    if (response.destroyed || (step.hang !== undefined && i >= first)) break;
    send(response, event, api);
    if (step.pace !== undefined && api.isPiece(event)) await sleep(step.pace);
  }
  if (step.hang === undefined) response.end();
  while (step.hang === 'pings' && !response.destroyed) {
    send(response, api.ping, api);
    await sleep(1000, undefined, { ref: false });
  }
}

function send(response: ServerResponse, event: StreamEvent, { isBare }: ModelApi): void {
  const data = JSON.stringify(event);
  response.write(isBare ? `data: ${escaped(data)}\n\n` : `event: ${event.type}\ndata: ${data}\n\n`);
}

/** Gemini CLI ends a line at what JavaScript takes for its end; Google's own servers send that as an escape. */
function escaped(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

function sendError(response: ServerResponse, status: number, { headers = {}, body }: Step, api: ModelApi): void {
  sendJson(response, status, body ?? api.error(status, `the script says ${status}`), headers);
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
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
