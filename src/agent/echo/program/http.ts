import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Places } from './places.ts';
import { Server } from './server.ts';
import { parsed, sayLine } from './stdio.ts';

/**
 * Serves on a port of the loopback, which it prints. Requests are posted to /request; what it says by itself is a
 * server-sent event to everybody who gets /events.
 */
export function serveHttp(places: Places): void {
  const listeners = new Set<ServerResponse>();
  const toAll = (text: string): void => {
    for (const listener of listeners) listener.write(text);
  };
  const server = new Server(places, {
    say: (message) => toAll(`data: ${JSON.stringify(message)}\n\n`),
    sayHalf: (message) => {
      const text = `data: ${JSON.stringify(message)}\n\n`;
      toAll(text.slice(0, text.length / 2));
      return () => toAll(text.slice(text.length / 2));
    },
    end: () => process.exit(0),
  });
  const http = createServer((request, response) => {
    if (request.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
      return;
    }
    void answer(server, request, response);
  });
  http.listen(0, '127.0.0.1', () => sayLine({ on: 'listening', port: (http.address() as AddressInfo).port }));
}

async function answer(server: Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const reply = request.url === '/request' ? server.take(parsed(Buffer.concat(pieces).toString('utf8'))) : null;
  const status = reply === null ? 404 : reply.error === undefined ? 200 : 409;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(reply));
}
