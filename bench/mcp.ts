// The cost of the Model Context Protocol: one command, and two hundred callers that only wait.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../test/eventually.ts';
import { mcpWorld } from '../test/mcp-world.ts';
import type { World } from '../test/world.ts';
import { cpuMs, ms, percentile, report, timeMs } from './measure.ts';

const BIN = join(import.meta.dirname, '../bin/outlast.cjs');
const WAITING = 200;
const WAIT_MS = 20_000;

/** `exec` of `true` over standard input and output, and callers over HTTP that wait for one session. */
export async function mcp(): Promise<void> {
  await using it = await mcpWorld();
  const caller = await it.caller();
  const took: number[] = [];
  for (let i = 0; i < 100; i += 1) took.push(await timeMs(() => caller.call('exec', { command: 'true' })));
  const p50 = percentile(took, 50);
  report('MCP exec of true over stdio', `p50 ${ms(p50)}, p99 ${ms(percentile(took, 99))}`, 'p50 <= 25 ms', p50 <= 25);
  await caller.call('exec', { command: 'sleep 100000', name: 'awaited', background: true });
  await waiting(it.world);
  await caller.call('process', { action: 'kill', sessionId: 'awaited' });
}

async function waiting(world: World): Promise<void> {
  const server = spawn(process.execPath, [BIN, 'mcp', '--http', '0', '--json'], { env: world.env, cwd: tmpdir() });
  const over = new AbortController();
  try {
    let said = '';
    server.stdout.on('data', (chunk) => {
      said += chunk;
    });
    await eventually(() => said.includes('\n'));
    const { url, tokenFile } = JSON.parse(said) as { url: string; tokenFile: string };
    const token = readFileSync(tokenFile, 'utf8').trim();
    const pids = [server.pid ?? 0, (await world.client.daemonStatus()).pid];
    const idle = await shareOf(pids);
    // Each gets its headers at once, and the rest when the session ends.
    await Promise.all(Array.from({ length: WAITING }, (_, id) => wait(url, token, id, over.signal)));
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS / 2));
    const cost = (await shareOf(pids)) - idle;
    const value = `${cost.toFixed(2)} % on top of ${idle.toFixed(2)} %`;
    report(`${WAITING} waiting callers, CPU of server and daemon`, value, '<= 1 % more', cost <= 1);
  } finally {
    over.abort();
    server.kill('SIGKILL');
  }
}

/** How much of a processor they use while nothing happens, in per cent. */
async function shareOf(pids: readonly number[]): Promise<number> {
  const used = (): number => pids.map(cpuMs).reduce((sum, each) => sum + each, 0);
  const before = used();
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  return ((used() - before) / WAIT_MS) * 100;
}

async function wait(url: string, token: string, id: number, signal: AbortSignal): Promise<void> {
  const params = { name: 'session_wait', arguments: { session: 'awaited', timeoutMs: 3_600_000 } };
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
  const { status } = await fetch(url, { method: 'POST', headers, body, signal });
  if (status !== 200) throw new Error(`session_wait answered ${status}`);
}
