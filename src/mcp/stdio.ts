import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { makeServer, type Parts } from './server.ts';
import { Wire } from './stdio-wire.ts';
import { Updates } from './updates.ts';

/** Serves one caller on standard input and output, until it leaves. */
export async function serveOnStdio(parts: Parts): Promise<void> {
  let server: Server | null = null;
  const tell = (uri: string): void => void server?.sendResourceUpdated({ uri }).catch(() => {});
  const updates = new Updates(parts.outlast, parts.clock, tell);
  const transport = new Wire(parts.grants.has('read') ? updates : null);
  const left = new Promise<void>((resolve) => {
    transport.left = resolve;
  });
  serveStdio(
    () => {
      server = makeServer(parts, updates);
      return server;
    },
    { transport },
  );
  await left;
  updates.close();
  parts.outlast.close();
}
