import type { IncomingMessage, ServerResponse } from 'node:http';
import { objectIn } from '../../api/match.ts';
import { CODES, OutlastError } from '../../base/errors.ts';
import { LIMITS } from '../../base/limits.ts';

/** The object in the body of a request. One that is too large is refused as soon as that is known. */
export async function bodyOf(
  request: IncomingMessage,
  bytesMax = LIMITS.requestBytesMax,
): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw new TooLarge(bytesMax);
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bytesMax) throw new TooLarge(bytesMax);
    parts.push(part);
  }
  return objectIn(Buffer.concat(parts).toString('utf8'));
}

class TooLarge extends OutlastError {
  constructor(bytesMax: number) {
    super('input_invalid', `the request is larger than ${bytesMax} bytes`);
  }
}

/** Answers with a value. */
export function answerJson(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Answers with an error. The rest of the request is not read: the connection is closed with the answer. */
export function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const status = error instanceof TooLarge ? 413 : CODES[codeOf(error)].http;
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(errorBody(error)));
}

/** An error as the page gets it. */
export function errorBody(error: unknown): { error: { code: string; message: string; hint: string } } {
  const code = codeOf(error);
  // What we did not expect may contain anything, also secrets.
  const message = error instanceof OutlastError ? error.message : 'the server of the page failed';
  return { error: { code, message, hint: CODES[code].hint } };
}

function codeOf(error: unknown): keyof typeof CODES {
  return error instanceof OutlastError ? error.code : 'internal';
}

/** Ends a request that must learn nothing. */
export function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0, connection: 'close' }).end();
}
