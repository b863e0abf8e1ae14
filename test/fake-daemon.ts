import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { type OperationName, ROUTES, type Route } from '../src/api/routes.ts';
import { CODES, OutlastError } from '../src/base/errors.ts';

type Input = Record<string, unknown>;

/** What the fake answers: a value, or the lines of a stream. Throwing an OutlastError answers with it. */
export type Answers = Partial<Record<OperationName, (input: Input, cut: () => void) => unknown>>;

export interface FakeDaemon {
  /** Every received call, in order. */
  readonly calls: { name: OperationName; input: Input }[];
  inputsOf(name: OperationName): Input[];
  close(): Promise<void>;
}

/** A daemon that gives the answers of a test, on the real socket and protocol. `cut` breaks the connection. */
export async function fakeDaemon(state: string, answers: Answers): Promise<FakeDaemon> {
  const calls: FakeDaemon['calls'] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void serve(request, response, answers, calls));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(join(state, 'daemon.sock'), resolve));
  return {
    calls,
    inputsOf: (name) => calls.filter((call) => call.name === name).map((call) => call.input),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, answers: Answers, calls: FakeDaemon['calls']) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://outlast');
  const found = findRoute(request.method ?? '', url.pathname);
  if (found === null)
    return void response.writeHead(404).end('{"error":{"code":"internal","message":"no such route","hint":""}}');
  const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
  const input = { ...queryOf(url.searchParams), ...body, ...found.parameters };
  calls.push({ name: found.name, input });
  try {
    const answer = answers[found.name]?.(input, () => response.destroy());
    if (ROUTES[found.name].kind === 'call') sendJson(response, 200, (await answer) ?? {});
    else await sendLines(response, answer as AsyncIterable<unknown>);
  } catch (error) {
    const code = error instanceof OutlastError ? error.code : 'internal';
    sendJson(response, CODES[code].http, {
      error: { code, message: String((error as Error).message), hint: CODES[code].hint },
    });
  }
}

/** A repeated key becomes a list. */
function queryOf(query: URLSearchParams): Input {
  return Object.fromEntries(
    [...new Set(query.keys())].map((key) => {
      const values = query.getAll(key);
      return [key, values.length > 1 ? values : values[0]];
    }),
  );
}

function findRoute(method: string, pathname: string) {
  for (const [name, route] of Object.entries(ROUTES) as [OperationName, Route][]) {
    const match = new RegExp(`^${route.path.replace(':session', '([^/]+)')}$`).exec(pathname);
    if (route.method !== method || match === null) continue;
    return { name, parameters: match[1] === undefined ? {} : { session: decodeURIComponent(match[1]) } };
  }
  return null;
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  if (response.destroyed) return;
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-outlast-version': '1' })
    .end(JSON.stringify(value));
}

async function sendLines(response: ServerResponse, lines: AsyncIterable<unknown>): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'x-outlast-version': '1' });
  response.flushHeaders();
  for await (const line of lines) {
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(`${JSON.stringify(line)}\n`, resolve));
  }
  response.end();
}
