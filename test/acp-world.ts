import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  type ClientContext,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { eventually } from './eventually.ts';
import type { World } from './world.ts';

const BIN = join(import.meta.dirname, '../bin/outlast.cjs');

/** A question that the editor shows. */
export interface Dialog {
  readonly request: RequestPermissionRequest;
  /** It was withdrawn. */
  readonly isGone: boolean;
  answer(optionId: string): void;
}

/** An editor that runs `outlast acp`, made of the official client. */
export interface TestEditor extends AsyncDisposable {
  readonly agent: ClientContext;
  readonly cwd: string;
  /** Every update that it got, in order. */
  readonly updates: readonly SessionUpdate[];
  readonly dialogs: readonly Dialog[];
  /** What `outlast acp` wrote to standard error. */
  said(): string;
  /** The texts of the agent, put together. */
  text(): string;
  /** Waits for the nth question. */
  dialog(n: number): Promise<Dialog>;
  /** A new session in the folder of the editor. */
  newSession(): Promise<string>;
  prompt(sessionId: string, text: string): Promise<{ stopReason: string }>;
  /** Kills `outlast acp`, as if the editor had crashed with it. */
  kill(): Promise<void>;
}

/** Starts `outlast acp` with these arguments, and initializes the connection. */
export async function openEditor(
  world: World,
  name: string,
  args: readonly string[] = [],
  own: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<TestEditor> {
  const { cwd = join(world.state, 'editors', name) } = own;
  mkdirSync(cwd, { recursive: true });
  const env = { ...world.env, USER: name, ...own.env };
  const acp = spawn(process.execPath, [BIN, 'acp', ...args], { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  acp.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const updates: SessionUpdate[] = [];
  const dialogs: Dialog[] = [];
  const app = client({ name })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => ask(dialogs, params, signal));
  const connection = app.connect(
    ndJsonStream(
      Writable.toWeb(acp.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(acp.stdout) as ReadableStream<Uint8Array>,
    ),
  );
  const { agent } = connection;
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name, version: '1' } });
  const kill = async (): Promise<void> => {
    await ended(acp, () => acp.kill('SIGKILL'));
    connection.close();
  };
  return {
    agent,
    cwd,
    updates,
    dialogs,
    said: () => said,
    text: () => textOf(updates),
    dialog: (n) => eventually(() => dialogs[n] ?? false, { what: `question ${n}` }) as Promise<Dialog>,
    newSession: async () => (await agent.request('session/new', { cwd, mcpServers: [] })).sessionId,
    prompt: (sessionId, text) => agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    kill,
    [Symbol.asyncDispose]: async () => {
      await ended(acp, () => acp.stdin.end());
      connection.close();
    },
  };
}

/** The texts of the agent, put together. */
export function textOf(updates: readonly SessionUpdate[]): string {
  return updates
    .flatMap((each) =>
      each.sessionUpdate === 'agent_message_chunk' && each.content.type === 'text' ? [each.content.text] : [],
    )
    .join('');
}

/** The updates about tool calls, as `title status`. */
export function callsOf(updates: readonly SessionUpdate[]): string[] {
  return updates.flatMap((each) =>
    each.sessionUpdate === 'tool_call' || each.sessionUpdate === 'tool_call_update'
      ? [`${each.toolCallId} ${each.status}`]
      : [],
  );
}

function ask(
  dialogs: Dialog[],
  request: RequestPermissionRequest,
  signal: AbortSignal,
): Promise<RequestPermissionResponse> {
  const { promise, resolve } = Promise.withResolvers<RequestPermissionResponse>();
  signal.addEventListener('abort', () => resolve({ outcome: { outcome: 'cancelled' } }));
  dialogs.push({
    request,
    get isGone() {
      return signal.aborted;
    },
    answer: (optionId) => resolve({ outcome: { outcome: 'selected', optionId } }),
  });
  return promise;
}

function ended(acp: ChildProcess, end: () => void): Promise<void> {
  if (acp.exitCode !== null || acp.signalCode !== null) return Promise.resolve();
  const gone = new Promise<void>((resolve) => acp.once('exit', () => resolve()));
  end();
  return gone;
}
