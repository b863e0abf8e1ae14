import type { CallInput, CallOutput } from '../../api/contract.ts';
import { FROM_SERVER, jsonIn, textOf } from '../../api/live-frames.ts';
import { PAGE_PATHS } from '../../api/page-shape.ts';
import type { OperationName } from '../../api/routes.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Connection } from '../../client/calls.ts';
import { answerOf, waitMsOf } from '../../client/exchange.ts';
import { FetchTransport } from '../../client/fetch.ts';
import { DaemonLost } from '../../client/lost.ts';
import type { Bearer } from './bearer.ts';
import type { LiveSocket } from './socket.ts';

/** Calls are HTTP. Streams and calls that wait are channels: they would use up the few connections of a browser. */
export class LiveTransport implements Connection {
  readonly #socket: LiveSocket;
  readonly #heard: (daemon: 'here' | 'away') => void;
  readonly #http: FetchTransport;

  constructor(bearer: Bearer, socket: LiveSocket, heard: (daemon: 'here' | 'away') => void) {
    this.#socket = socket;
    this.#heard = heard;
    const ask = (target: string | URL | Request, init?: RequestInit) => bearer.fetch(String(target), init);
    this.#http = new FetchTransport({ url: PAGE_PATHS.api, fetch: ask });
  }

  async call<N extends OperationName>(name: N, input: CallInput<N>, signal?: AbortSignal): Promise<CallOutput<N>> {
    const given = withoutOwn(input);
    if (waitMsOf(name, given) > 0) return this.#wait(name, given, signal);
    try {
      const answer = await this.#http.call(name, given, signal);
      this.#heard('here');
      return answer;
    } catch (error) {
      const isAway = error instanceof OutlastError && error.code === 'daemon_unreachable';
      if (isAway && !(error instanceof DaemonLost)) this.#heard('away');
      throw error;
    }
  }

  async *follow<N extends OperationName>(
    name: N,
    input: CallInput<N>,
    signal?: AbortSignal,
  ): AsyncGenerator<CallOutput<N>, void, void> {
    const channel = await this.#socket.open(name, withoutOwn(input), signal);
    for await (const read of channel.read(signal))
      if (read.type === FROM_SERVER.line) yield answerOf(200, textOf(read)) as CallOutput<N>;
  }

  close(): void {
    this.#socket.stop();
  }

  async #wait<N extends OperationName>(name: N, input: CallInput<N>, signal?: AbortSignal): Promise<CallOutput<N>> {
    const channel = await this.#socket.open(name, input, signal);
    for await (const read of channel.read(signal)) return jsonIn(read) as CallOutput<N>;
    throw new OutlastError('internal', `${name}: no answer came`);
  }
}

/** The SDK gives the environment of its own process; a page has none, and its server gives its own. */
function withoutOwn<T extends object>(input: T): T {
  if (!('env' in input)) return input;
  const { env: _, ...rest } = input;
  return rest as T;
}
