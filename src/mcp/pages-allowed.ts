import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Tells a browser that a page may ask and read the answer, if it is one that was named. It is told of no other, so that
 * the browser keeps those from it before we have to.
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

/** Does a browser ask whether a page may ask? It never has the token with it. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined;
}
