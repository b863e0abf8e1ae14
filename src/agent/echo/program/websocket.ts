import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Places } from './places.ts';
import { Server } from './server.ts';
import { parsed } from './stdio.ts';

/** Serves all clients of a Unix socket, one JSON message per frame. Each client gets every note. */
export function serveWebsocket(places: Places, socket: string): void {
  const listener = createServer();
  const clients = new WebSocketServer({ server: listener });
  const sockets = new Map<WebSocket, Duplex>();
  const server = new Server(places, {
    say: (message) => {
      for (const client of sockets.keys()) client.send(JSON.stringify(message));
    },
    sayHalf: (message) => {
      const frame = frameOf(JSON.stringify(message));
      const cut = Math.floor(frame.length / 2);
      // The rest goes only to those who got the first half.
      const raws = [...sockets.values()];
      for (const raw of raws) raw.write(frame.subarray(0, cut));
      return () => {
        for (const raw of raws) raw.write(frame.subarray(cut));
      };
    },
    end: () => process.exit(0),
  });
  clients.on('connection', (client, { socket: raw }) => {
    sockets.set(client, raw);
    client.on('close', () => sockets.delete(client));
    client.on('error', () => client.terminate());
    client.on('message', (data) => {
      const reply = server.take(parsed(String(data)));
      if (reply !== null) client.send(JSON.stringify(reply));
    });
  });
  rmSync(socket, { force: true });
  listener.listen(socket);
}

/** A text frame of a server: not masked. Only for texts of less than 64 kB. */
function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const long = Buffer.from([0x81, 126, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([body.length < 126 ? Buffer.from([0x81, body.length]) : long, body]);
}
