import type { JSONRPCMessage, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { findPlace } from './resources.ts';
import { makeServer, type Parts } from './server.ts';
import { Updates } from './updates.ts';

/** Waiting to be read by the caller; beyond it we read nothing from it until it does. */
const UNREAD_BYTES_MAX = 1024 * 1024;

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

/** Standard input and output, with an eye on who listens to what and on a caller that does not read. */
class Wire extends StdioServerTransport {
  left: () => void = () => {};
  readonly #updates: Updates | null;

  /** `updates` is null for a caller that may not be told. */
  constructor(updates: Updates | null) {
    super();
    this.#updates = updates;
  }

  override async start(): Promise<void> {
    const receive = this.onmessage;
    this.onmessage = (message) => {
      this.#listen(message);
      receive?.(message);
    };
    const closed = this.onclose;
    this.onclose = () => {
      closed?.();
      this.left();
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    const sending = super.send(message);
    if (process.stdout.writableLength > UNREAD_BYTES_MAX) {
      process.stdin.pause();
      process.stdout.once('drain', () => process.stdin.resume());
    }
    return sending;
  }

  // What the protocol of 2026 listens to is kept by the transport; we only need to know what it is.
  #listen(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    const { method, params } = message as { method: string; params?: Record<string, unknown> };
    if (method === 'notifications/cancelled') this.#updates?.unwatch(`listen ${params?.requestId}`);
    if (method !== 'subscriptions/listen' || !('id' in message)) return;
    for (const uri of listenedTo(params)) this.#updates?.watch(`listen ${message.id}`, uri);
  }
}

/** The resources that a request to listen names, as far as they are ours. */
export function listenedTo(params: Readonly<Record<string, unknown>> | undefined): string[] {
  const asked = params?.notifications as { resourceSubscriptions?: unknown } | undefined;
  const uris = asked?.resourceSubscriptions;
  // A watch is no more than what is read again: one that is no resource is nothing to tell of.
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string' && findPlace(uri) !== null) : [];
}
