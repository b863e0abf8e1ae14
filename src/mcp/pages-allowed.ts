import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Allows a page to call and read the answer, if it is one that was named. Other pages get no header, so that the
 * browser blocks them before we have to.
 */
export function welcome({ headers }: IncomingMessage, response: ServerResponse, origins: readonly string[]): void {
  const { origin } = headers;
  if (origin === undefined || !origins.includes(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'origin');
  response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate');
  const wanted = headers['access-control-request-headers'];
  if (wanted === undefined) return;
  response.setHeader('access-control-allow-headers', wanted);
  response.setHeader('access-control-allow-methods', 'POST, GET, DELETE');
}

/** Is this a CORS preflight? It never carries the token. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined;
}
