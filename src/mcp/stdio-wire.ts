import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { findPlace } from './resources.ts';
import type { Updates } from './updates.ts';

/** Waiting to be read by the caller; beyond it we read nothing from it until it does. */
const UNREAD_BYTES_MAX = 1024 * 1024;

type Params = Readonly<Record<string, unknown>>;

/** Standard input and output, with an eye on who listens to what and on a caller that does not read. */
export class Wire extends StdioServerTransport {
  left: () => void = () => {};
  readonly #updates: Updates | null;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  /** News for a caller that does not read: of each thing the last. */
  readonly #late = new Map<string, JSONRPCMessage>();
  #isFull = false;

  /** `updates` is null for a caller that may not be told. */
  constructor(updates: Updates | null, stdin: Readable = process.stdin, stdout: Writable = process.stdout) {
    super(stdin, stdout);
    this.#updates = updates;
    this.#stdin = stdin;
    this.#stdout = stdout;
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

  // Answers are bounded by the calls that are open, and no more are read. News are not: they come by themselves.
  override async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isFull && !('id' in message)) return void this.#late.set(subjectOf(message), message);
    const sending = super.send(message);
    if (this.#stdout.writableLength > UNREAD_BYTES_MAX) this.#rest();
    return sending;
  }

  #rest(): void {
    if (this.#isFull) return;
    this.#isFull = true;
    this.#stdin.pause();
    this.#stdout.once('drain', () => {
      this.#isFull = false;
      this.#stdin.resume();
      const late = [...this.#late.values()];
      this.#late.clear();
      for (const message of late) this.send(message).catch(() => {});
    });
  }

  // What the protocol of 2026 listens to is kept by the transport; we only need to know what it is.
  #listen(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    const { method, params } = message as { method: string; params?: Params };
    if (method === 'notifications/cancelled') this.#updates?.unwatch(`listen ${params?.requestId}`);
    if (method !== 'subscriptions/listen' || !('id' in message)) return;
    for (const uri of listenedTo(params)) this.#updates?.watch(`listen ${message.id}`, uri);
  }
}

/** The resources that a request to listen names, as far as they are ours. */
export function listenedTo(params: Params | undefined): string[] {
  const asked = params?.notifications as { resourceSubscriptions?: unknown } | undefined;
  const uris = asked?.resourceSubscriptions;
  // A watch is no more than what is read again: one that is no resource is nothing to tell of.
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string' && findPlace(uri) !== null) : [];
}

/** What news are about: later ones of the same take their place. */
function subjectOf(message: JSONRPCMessage): string {
  const { method, params = {} } = message as { method?: string; params?: Params };
  const { uri, progressToken, _meta } = params;
  return JSON.stringify([method, uri, progressToken, _meta]);
}
