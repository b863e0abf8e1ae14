import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { findPlace } from './resources.ts';
import type { Updates } from './updates.ts';

/** Unread answers in bytes; beyond it we read nothing from the caller until it reads. */
const UNREAD_BYTES_MAX = 1024 * 1024;

type Params = Readonly<Record<string, unknown>>;

/** Standard input and output, which also tracks subscriptions and callers that do not read. */
export class Wire extends StdioServerTransport {
  left: () => void = () => {};
  readonly #updates: Updates | null;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  /** Updates for a caller that does not read: the last one for each subject. */
  readonly #late = new Map<string, JSONRPCMessage>();
  #isFull = false;

  /** `updates` is null for a caller that may not get updates. */
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

  // Answers are bounded by the open calls, and no more are read. Updates are not bounded: they come by themselves.
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

  // In the 2026 protocol the transport keeps the subscriptions; we only need to know them.
  #listen(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    const { method, params } = message as { method: string; params?: Params };
    if (method === 'notifications/cancelled') this.#updates?.unwatch(`listen ${params?.requestId}`);
    if (method !== 'subscriptions/listen' || !('id' in message)) return;
    for (const uri of listenedTo(params)) this.#updates?.watch(`listen ${message.id}`, uri);
  }
}

/** The resources that a listen request names, as far as they are ours. */
export function listenedTo(params: Params | undefined): string[] {
  const asked = params?.notifications as { resourceSubscriptions?: unknown } | undefined;
  const uris = asked?.resourceSubscriptions;
  // An update only says what to read again: a URI that is not a resource has no updates.
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string' && findPlace(uri) !== null) : [];
}

/** What an update is about: a later one about the same replaces it. */
function subjectOf(message: JSONRPCMessage): string {
  const { method, params = {} } = message as { method?: string; params?: Params };
  const { uri, progressToken, _meta } = params;
  return JSON.stringify([method, uri, progressToken, _meta]);
}
