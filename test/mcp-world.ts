import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeWorld, type World, type WorldOptions } from './world.ts';

const BIN = join(import.meta.dirname, '../bin/outlast.cjs');

/** The result of a tool call. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A caller that is connected to `outlast mcp`. */
export interface Caller extends AsyncDisposable {
  readonly client: Client;
  readonly pid: number;
  call(name: string, input?: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<ToolResult>;
}

/** A daemon, and callers that talk to it through `outlast mcp`. */
export interface McpWorld extends AsyncDisposable {
  readonly world: World;
  caller(args?: readonly string[], options?: ClientOptions, env?: NodeJS.ProcessEnv): Promise<Caller>;
}

/** Both eras of the protocol: with the handshake of 2025, and with that of 2026. */
export const ERAS: readonly (readonly [string, ClientOptions])[] = [
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
];

export async function mcpWorld(options: WorldOptions = {}): Promise<McpWorld> {
  const world = await makeWorld(options);
  const callers: Caller[] = [];
  return {
    world,
    caller: async (args = [], how = {}, env = {}) => {
      const caller = await connectCaller({ ...world.env, ...env }, args, how);
      callers.push(caller);
      return caller;
    },
    [Symbol.asyncDispose]: async () => {
      for (const caller of callers) await caller[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

async function connectCaller(fullEnv: NodeJS.ProcessEnv, args: readonly string[], how: ClientOptions): Promise<Caller> {
  const env = Object.fromEntries(Object.entries(fullEnv).filter((pair): pair is [string, string] => !!pair[1]));
  const command = { command: process.execPath, args: [BIN, 'mcp', ...args], env, cwd: tmpdir(), stderr: 'inherit' };
  const transport = new StdioClientTransport({ ...command, stderr: 'inherit' });
  const client = new Client({ name: 'test', version: '1' }, how);
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (name, input = {}, options = {}) =>
      toolResult(await client.callTool({ name, arguments: input }, options)),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Extracts the text and the details from the raw result of a tool. */
export function toolResult(result: { content?: unknown; isError?: unknown; _meta?: unknown }): ToolResult {
  const [first] = result.content as { text: string }[];
  const meta = (result._meta ?? {}) as Record<string, Record<string, unknown>>;
  return { text: first?.text ?? '', isError: result.isError === true, details: meta['outlast/details'] ?? {} };
}
