import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Places } from './places.ts';
import { Server } from './server.ts';
import { parsed, sayLine } from './stdio.ts';

/**
 * Serves on a loopback port, and prints which; `says`: it prints another one. Requests are posted to /request; notes
 * are sent as server-sent events to every client of /events.
 */
export function serveHttp(places: Places, says: number | null): void {
  const listeners = new Set<ServerResponse>();
  const toAll = (text: string, all: Iterable<ServerResponse> = listeners): void => {
    for (const listener of all) listener.write(text);
  };
  const server = new Server(places, {
    say: (message) => toAll(`data: ${JSON.stringify(message)}\n\n`),
    sayHalf: (message) => {
      const text = `data: ${JSON.stringify(message)}\n\n`;
      // The rest goes only to those who got the first half.
      const all = [...listeners];
      toAll(text.slice(0, text.length / 2), all);
      return () => toAll(text.slice(text.length / 2), all);
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
  http.listen(0, '127.0.0.1', () => {
    const { port } = http.address() as AddressInfo;
    sayLine({ on: 'listening', port: says ?? port });
  });
}

async function answer(server: Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const reply = request.url === '/request' ? server.take(parsed(Buffer.concat(pieces).toString('utf8'))) : null;
  const status = reply === null ? 404 : reply.error === undefined ? 200 : 409;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(reply));
}
