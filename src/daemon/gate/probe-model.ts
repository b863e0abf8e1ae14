import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GateProbe } from '../../agent/seam/gate.ts';

/** A local model, for the duration of a probe. */
export interface ProbeModel {
  /** Where it listens; undefined: the agent needs none. */
  readonly url: string | undefined;
  close(): void;
}

/** Listens on loopback only, and answers as the probe says. */
export async function startModel({ answer }: GateProbe): Promise<ProbeModel> {
  if (answer === undefined) return { url: undefined, close: () => {} };
  const server = createServer((request, response) => {
    bodyOf(request).then(
      (body) => {
        const text = answer(body);
        response.writeHead(200, { 'content-type': text === null ? 'application/json' : 'text/event-stream' });
        response.end(text ?? '{}');
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', done);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
