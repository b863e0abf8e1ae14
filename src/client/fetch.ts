import type { CallInput, CallOutput } from '../api/contract.ts';
import type { OperationName } from '../api/routes.ts';
import type { Transport } from '../api/transport.ts';
import { OutlastError } from '../base/errors.ts';
import { answerOf, askedFor } from './exchange.ts';
import { DaemonLost } from './lost.ts';

export interface FetchOptions {
  /** Where the API is, e.g. `https://build.example/outlast`. */
  readonly url: string;
  readonly token?: string | undefined;
  /** Replaces the global one. */
  readonly fetch?: typeof fetch | undefined;
}

/** Talks to a daemon through `fetch`, as a browser must. */
export class FetchTransport implements Transport {
  readonly #options: FetchOptions;
  #wasReached = false;

  constructor(options: FetchOptions) {
    this.#options = options;
  }

  async call<N extends OperationName>(name: N, input: CallInput<N>, signal?: AbortSignal): Promise<CallOutput<N>> {
    try {
      const answer = await this.#ask(name, input, signal);
      return answerOf(answer.status, await answer.text()) as CallOutput<N>;
    } catch (error) {
      throw this.#reasonOf(error, name, signal);
    }
  }

  async *follow<N extends OperationName>(
    name: N,
    input: CallInput<N>,
    signal?: AbortSignal,
  ): AsyncGenerator<CallOutput<N>, void, void> {
    try {
      const answer = await this.#ask(name, input, signal);
      let held = '';
      for await (const piece of textOf(answer)) {
        const lines = (held + piece).split('\n');
        held = lines.pop() ?? '';
        for (const line of lines) if (line !== '') yield answerOf(answer.status, line) as CallOutput<N>;
      }
      if (held !== '') yield answerOf(answer.status, held) as CallOutput<N>;
    } catch (error) {
      throw this.#reasonOf(error, name, signal);
    }
  }

  /** No connection is kept open. */
  close(): void {}

  async #ask(name: OperationName, input: object, signal?: AbortSignal): Promise<Response> {
    const { method, target, body } = askedFor(name, input);
    const { url, token, fetch: ask = globalThis.fetch } = this.#options;
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    };
    const answer = await ask(`${url.replace(/\/$/, '')}${target}`, { method, headers, body, signal: signal ?? null });
    this.#wasReached = true;
    return answer;
  }

  #reasonOf(error: unknown, name: OperationName, signal?: AbortSignal): unknown {
    if (signal?.aborted) return signal.reason;
    if (error instanceof OutlastError) return error;
    const why = error instanceof Error ? error.message : String(error);
    // A browser does not say whether it reached a server. An address that never answered may be wrong.
    const loss = this.#wasReached ? 'lost' : 'absent';
    const message = `${name}: lost the daemon at ${this.#options.url}: ${why}`;
    return new DaemonLost(message, { loss, wasReached: this.#wasReached, cause: error });
  }
}

/** The text of an answer as it comes. Not every browser lets one iterate over its body. */
async function* textOf({ body }: Response): AsyncGenerator<string, void, void> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (value !== undefined) yield decoder.decode(value as Uint8Array, { stream: true });
      if (done) return;
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}
