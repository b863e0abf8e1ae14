import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { BoundedLines } from './bounded-lines.ts';
import { makeServer, type Parts } from './server.ts';
import { Wire } from './stdio-wire.ts';
import { Updates } from './updates.ts';

/** Serves one caller on standard input and output, until it leaves. */
export async function serveOnStdio(parts: Parts): Promise<void> {
  let server: Server | null = null;
  const tell = (uri: string): void => void server?.sendResourceUpdated({ uri }).catch(() => {});
  const updates = new Updates(parts.outlast, parts.clock, tell);
  const lines = new BoundedLines(refuse);
  const transport = new Wire(parts.grants.has('read') ? updates : null, process.stdin.pipe(lines));
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

/** Answers a request whose line is too long with an error; the connection stays open. */
function refuse(id: string | number | null, bytes: number): void {
  const message = `a message of ${bytes} bytes is too long; it was not read`;
  if (id === null) process.stderr.write(`outlast mcp: ${message}\n`);
  else process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32600, message } })}\n`);
}
