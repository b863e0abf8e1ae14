import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type CallOutput, CONTRACT, type HandlerInput } from '../../api/contract.ts';
import { objectIn, operationAt, valuesOf } from '../../api/match.ts';
import { type OperationName, ROUTES } from '../../api/routes.ts';
import type { Clock } from '../../base/clock.ts';
import { CODES, OutlastError } from '../../base/errors.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import { anySignal } from '../../base/signals.ts';
import { listen } from './listener.ts';
import { unknownKey } from './unknown-keys.ts';

/** One function per operation. A streaming operation returns its lines. */
export type Handlers = {
  readonly [N in OperationName]: (
    input: HandlerInput<N>,
    signal: AbortSignal,
  ) => (typeof ROUTES)[N]['kind'] extends 'stream'
    ? AsyncIterable<CallOutput<N>>
    : Promise<CallOutput<N>> | CallOutput<N>;
};

/** Serves the API on a Unix socket that only its owner can open. */
export async function serve(
  path: string,
  handlers: Handlers,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<{ close(): Promise<void> }> {
  const leaving = new AbortController();
  const make = (): Server =>
    createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
      answer(handlers, request, response, leaving.signal).catch((error) => fail(response, error, log));
    });
  const listener = await listen({ path, make, clock, log });
  return { close: () => listener.close(() => leaving.abort()) };
}

async function answer(
  handlers: Handlers,
  request: IncomingMessage,
  response: ServerResponse,
  leaving: AbortSignal,
): Promise<void> {
  const [path = '/', query = ''] = (request.url ?? '/').split('?');
  const { name, parameters } = operationAt(request.method ?? 'GET', path);
  const given = request.method === 'POST' ? await readBody(request) : valuesOf(query);
  const wanted = { ...given, ...parameters };
  const unknown = unknownKey(CONTRACT[name].input, wanted);
  if (unknown !== null) throw new OutlastError('input_invalid', unknown);
  const parsed = CONTRACT[name].input.safeParse(wanted);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new OutlastError('input_invalid', `${issue?.path.join('.') || 'input'}: ${issue?.message}`);
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const handle = handlers[name] as (input: unknown, signal: AbortSignal) => unknown;
  const result = handle(parsed.data, anySignal(gone.signal, leaving));
  response.setHeader('x-outlast-version', '1');
  if (ROUTES[name].kind === 'stream') return stream(response, result as AsyncIterable<unknown>, gone.signal);
  const body = JSON.stringify(await result);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Sends lines at the reader's pace: a slow reader does not affect others. */
async function stream(response: ServerResponse, lines: AsyncIterable<unknown>, gone: AbortSignal): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.flushHeaders();
  try {
    for await (const line of lines) {
      if (gone.aborted) return;
      if (!response.write(`${JSON.stringify(line)}\n`)) await drained(response, gone);
    }
  } catch (error) {
    response.write(`${JSON.stringify(errorBody(error))}\n`);
  }
  response.end();
}

/** Resolves when the reader has read what was written, or is gone. */
async function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  await once(response, 'drain', { signal: gone }).catch(() => {});
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > LIMITS.requestBytesMax)
      throw new OutlastError('input_invalid', `the request is larger than ${LIMITS.requestBytesMax} bytes`);
    chunks.push(chunk);
  }
  return objectIn(Buffer.concat(chunks).toString('utf8'));
}

function fail(response: ServerResponse, error: unknown, log: Log): void {
  const { error: body } = errorBody(error);
  if (body.code === 'internal')
    log('an operation failed', { why: error instanceof Error ? error.stack : String(error) });
  if (response.headersSent) return void response.destroy();
  response.writeHead(CODES[body.code].http, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ error: body }));
}

function errorBody(error: unknown): { error: { code: keyof typeof CODES; message: string; hint: string } } {
  const known =
    error instanceof OutlastError
      ? error
      : new OutlastError('internal', error instanceof Error ? error.message : String(error));
  return { error: { code: known.code, message: known.message, hint: known.hint } };
}
