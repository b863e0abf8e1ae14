import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Stage } from './stage.ts';

/** What the API says to whoever asks while the gate is closed. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Stands before the model. A story opens and closes it, however often an agent tries by itself. */
export interface Gate extends AsyncDisposable {
  /** The stage's environment, with this gate in place of the model. */
  readonly env: Record<string, string>;
  /** What is said instead of an answer; null: the model answers. */
  refusal: Refusal | null;
  /** Called with every request for a message, before anything is done about it. */
  onAsked: () => void;
  /** How many requests for a message came so far. */
  asked: number;
}

/** Opens a gate before the model of a stage. */
export async function openGate(stage: Stage, refusal: Refusal | null = null): Promise<Gate> {
  const model = stage.model?.url ?? '';
  const server = createServer((from, to) => {
    to.on('error', () => {});
    const isAsking = from.method === 'POST' && from.url?.split('?')[0] === '/v1/messages';
    if (isAsking) {
      gate.asked += 1;
      gate.onAsked();
    }
    if (isAsking && gate.refusal !== null) refuse(from, to, gate.refusal);
    else pass(from, to, model);
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  const gate: Gate = {
    env: { ...stage.env, ANTHROPIC_BASE_URL: url },
    refusal,
    onAsked: () => {},
    asked: 0,
    [Symbol.asyncDispose]: close,
  };
  return gate;
}

function refuse(from: IncomingMessage, to: ServerResponse, { status, type, message, headers }: Refusal): void {
  // Who is answered before everything is read takes it for a connection that was cut.
  from.resume().on('end', () => {
    to.writeHead(status, { 'content-type': 'application/json', ...headers });
    to.end(JSON.stringify({ type: 'error', error: { type, message } }));
  });
}

function pass(from: IncomingMessage, to: ServerResponse, model: string): void {
  const onward = request(new URL(from.url ?? '/', model), { method: from.method, headers: from.headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => to.destroy()).pipe(to);
  });
  onward.on('error', () => to.destroy());
  to.on('close', () => onward.destroy());
  from.pipe(onward);
}
