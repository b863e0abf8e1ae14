import type { Wire } from './wire.ts';

/** The status line and headers of an answer. */
export interface Head {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

const HEADERS_MAX = 100;
const LINE_BYTES_MAX = 16 * 1024 * 1024;

/** The bytes of one HTTP/1.1 request. */
export function encodeRequest(method: string, target: string, body: string | null): string {
  const head = `${method} ${target} HTTP/1.1\r\nhost: outlast\r\nx-outlast-version: 1\r\n`;
  if (body === null) return `${head}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Reads the head of an answer; null when the connection ended before its first byte. */
export async function readHead(wire: Wire): Promise<Head | null> {
  const first = await wire.line();
  if (first === null) return null;
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) throw new Error(`not an HTTP answer: ${JSON.stringify(first.slice(0, 80))}`);
  const headers = new Map<string, string>();
  for (let count = 0; count < HEADERS_MAX; count += 1) {
    const line = await wire.line();
    if (line === null) throw new Error('the connection ended inside a head');
    if (line === '') return status < 200 ? readHead(wire) : { status, headers };
    const colon = line.indexOf(':');
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  throw new Error(`more than ${HEADERS_MAX} headers`);
}

/** The bytes of the body as they come. Throws when the connection ends before the body does. */
export async function* readBody(wire: Wire, head: Head): AsyncGenerator<Buffer, void, void> {
  const length = head.headers.get('content-length');
  if (head.headers.get('transfer-encoding') === 'chunked') yield* readChunks(wire);
  else if (length !== undefined) yield* readBytes(wire, Number(length));
  else if (head.status !== 204)
    do yield wire.take(wire.held.length);
    while (await wire.more());
}

/** May the connection be used for another request once the body is read? */
export function keepsAlive(head: Head): boolean {
  const framed =
    head.headers.has('content-length') || head.headers.get('transfer-encoding') === 'chunked' || head.status === 204;
  return framed && head.headers.get('connection')?.toLowerCase() !== 'close';
}

/** Splits bytes into lines at LF only: some libraries also split at U+2028. */
export async function* readLines(body: AsyncIterable<Buffer>): AsyncGenerator<string, void, void> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end));
      yield Buffer.concat(parts).toString('utf8');
      parts = [];
      bytes = 0;
      from = end + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > LINE_BYTES_MAX) throw new Error(`a line of more than ${LINE_BYTES_MAX} bytes`);
  }
  if (bytes > 0) yield Buffer.concat(parts).toString('utf8');
}

async function* readChunks(wire: Wire): AsyncGenerator<Buffer, void, void> {
  for (;;) {
    const line = await wire.line();
    if (line === null) throw new Error('the connection ended inside a body');
    const bytes = Number.parseInt(line, 16);
    if (Number.isNaN(bytes)) throw new Error(`not the size of a chunk: ${JSON.stringify(line.slice(0, 80))}`);
    if (bytes > 0) yield* readBytes(wire, bytes);
    // After a chunk comes an empty line; after the last one there may be trailers, then an empty line.
    for (let rest = await wire.line(); rest !== ''; rest = await wire.line()) {
      if (rest === null) throw new Error('the connection ended inside a body');
    }
    if (bytes === 0) return;
  }
}

async function* readBytes(wire: Wire, bytes: number): AsyncGenerator<Buffer, void, void> {
  for (let left = bytes; left > 0; ) {
    const chunk = wire.take(left);
    left -= chunk.length;
    if (chunk.length > 0) yield chunk;
    else if (!(await wire.more())) throw new Error('the connection ended inside a body');
  }
}
