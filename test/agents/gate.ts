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

/** A request for a message. */
export interface Asked {
  readonly conversation: string | null;
  /** All messages of it, as text. */
  readonly messages: string;
}

/** Stands before the model. A story opens and closes it, however often an agent tries by itself. */
export interface Gate extends AsyncDisposable {
  /** The stage's environment, with this gate in place of the model. */
  readonly env: Record<string, string>;
  /** What is said instead of an answer; null: the model answers. */
  refusal: Refusal | null;
  /** Decides about each request by what is asked, while there is no refusal for all; null: the model answers. */
  judge: (asked: Asked) => Refusal | null;
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
    if (!isAsking) return pass(from, to, model);
    if (gate.refusal !== null) return refuse(from, to, gate.refusal);
    judge(from, to, { model, gate }).catch(() => to.destroy());
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
    judge: () => null,
    onAsked: () => {},
    asked: 0,
    [Symbol.asyncDispose]: close,
  };
  return gate;
}

function refuse(from: IncomingMessage, to: ServerResponse, refusal: Refusal): void {
  // Who is answered before everything is read takes it for a connection that was cut.
  from.resume().on('end', () => refuseNow(to, refusal));
}

function refuseNow(to: ServerResponse, { status, type, message, headers }: Refusal): void {
  to.writeHead(status, { 'content-type': 'application/json', ...headers });
  to.end(JSON.stringify({ type: 'error', error: { type, message } }));
}

async function judge(
  from: IncomingMessage,
  to: ServerResponse,
  { model, gate }: { model: string; gate: Gate },
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of from) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const conversation = from.headers['x-claude-code-session-id']?.toString() ?? null;
  const refusal = gate.judge({ conversation, messages: JSON.stringify(JSON.parse(body.toString('utf8')).messages) });
  if (refusal === null) pass(from, to, model, body);
  else refuseNow(to, refusal);
}

function pass(from: IncomingMessage, to: ServerResponse, model: string, body: Buffer | null = null): void {
  const onward = request(new URL(from.url ?? '/', model), { method: from.method, headers: from.headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => to.destroy()).pipe(to);
  });
  onward.on('error', () => to.destroy());
  to.on('close', () => onward.destroy());
  if (body === null) from.pipe(onward);
  else onward.end(body);
}
