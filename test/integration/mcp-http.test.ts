import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { ERAS, toolResult } from '../mcp-world.ts';
import { shellBlock } from '../pages/page.ts';
import { makeWorld, type World } from '../world.ts';

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');

let world: World;
let server: ChildProcess;
let url: URL;
let token: string;

beforeAll(async () => {
  world = await makeWorld();
  server = spawn(process.execPath, [BIN, 'mcp', '--http', '0', '--json', '--origin', 'https://good.example'], {
    env: world.env,
    cwd: tmpdir(),
  });
  let output = '';
  server.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  await eventually(() => output.includes('\n'));
  const ready = JSON.parse(output) as { url: string; tokenFile: string };
  url = new URL(ready.url);
  token = readFileSync(ready.tokenFile, 'utf8').trim();
  expect(statSync(ready.tokenFile).mode & 0o777).toBe(0o600);
});

afterAll(async () => {
  server.kill('SIGTERM');
  await eventually(() => server.exitCode !== null);
  expect(server.exitCode).toBe(0);
  await world[Symbol.asyncDispose]();
});

async function caller(how: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, how);
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

interface Answered {
  readonly status: number;
  readonly body: string;
}

/** By hand, because fetch does not allow a false Host header. */
function post(headers: Record<string, string>, body: string | Buffer = '{}', path = url.pathname): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const options = { host: url.hostname, port: url.port, path, method: 'POST', headers: { ...type, ...headers } };
    const outgoing = request(options, (answer: IncomingMessage) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

test.each(ERAS)('a caller of %s runs a command over HTTP, and gets progress', async (version, how) => {
  await using client = closing(await caller(how));
  expect(client.it.getNegotiatedProtocolVersion()).toBe(version);
  const progressSeen: number[] = [];
  const params = { name: 'exec', arguments: { command: 'echo over http' } };
  const result = await client.it.callTool(params, { onprogress: ({ progress }) => progressSeen.push(progress) });
  expect(toolResult(result).text).toContain('over http');
  expect(progressSeen).toEqual([0]);
});

test('a caller of 2026 gets an update when what it listens to changes', async () => {
  await using client = closing(await caller({ versionNegotiation: { mode: 'auto' } }));
  const changed: string[] = [];
  client.it.setNotificationHandler('notifications/resources/updated', ({ params }) => void changed.push(params.uri));
  await client.it.listen({ resourceSubscriptions: ['outlast://sessions'] });
  await eventually(async () => {
    await client.it.callTool({ name: 'exec', arguments: { command: 'true' } });
    return changed.includes('outlast://sessions');
  });
});

test('a command keeps running when the connection of its caller is cut', async () => {
  const client = await caller();
  const call = client.callTool({ name: 'exec', arguments: { command: 'sleep 600', name: 'orphaned' } });
  call.catch(() => {});
  const find = async () => (await world.client.list()).sessions.find(({ name }) => name === 'orphaned');
  await eventually(async () => (await find())?.phase === 'working');
  await client.close();
  await eventually(async () => (await find())?.background === true);
  expect((await find())?.phase).toBe('working');
});

test.each([
  ['no token', {}, 401],
  ['a wrong token', { authorization: 'Bearer wrong' }, 401],
  ['a token of another kind', () => ({ authorization: `Basic ${token}` }), 401],
  ['the Host of another site', () => ({ authorization: `Bearer ${token}`, host: 'evil.example' }), 403],
  ['our host with another port', () => ({ authorization: `Bearer ${token}`, host: 'localhost:1' }), 403],
  [
    'our Host as a part of another',
    () => ({ authorization: `Bearer ${token}`, host: `${url.host}.evil.example` }),
    403,
  ],
  ['a page of another site', () => ({ authorization: `Bearer ${token}`, origin: 'https://evil.example' }), 403],
  ['a page like one we know', () => ({ authorization: `Bearer ${token}`, origin: 'https://good.example.evil' }), 403],
  ['a page from nowhere', () => ({ authorization: `Bearer ${token}`, origin: 'null' }), 403],
])('%s is refused', async (_who, given, status) => {
  const headers = typeof given === 'function' ? given() : given;
  expect((await post(headers as Record<string, string>)).status).toBe(status);
});

test('a named page may call, and this machine under each of its names', async () => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  for (const more of [{ origin: 'https://good.example' }, { host: `localhost:${url.port}` }, {}])
    expect((await post({ authorization: `Bearer ${token}`, ...more }, ping)).status).toBe(200);
});

test('a browser gets CORS headers for a named page, and for no other one', async () => {
  const asks = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,mcp-name' };
  const knock = (origin: string) => fetch(url, { method: 'OPTIONS', headers: { ...asks, origin } });
  const welcome = await knock('https://good.example');
  expect(welcome.status).toBe(204);
  expect(welcome.headers.get('access-control-allow-origin')).toBe('https://good.example');
  expect(welcome.headers.get('access-control-allow-headers')).toBe('authorization,mcp-name');
  const evil = await knock('https://evil.example');
  expect([evil.status, evil.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  const response = await fetch(url, { method: 'POST', headers: { origin: 'https://good.example' }, body: '{}' });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, 'https://good.example']);
  expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(401);
});

test('another path, a body that is not JSON and one that is too large are refused with a reason', async () => {
  const authorized = { authorization: `Bearer ${token}` };
  expect(await post(authorized, '{}', '/')).toMatchObject({ status: 404, body: expect.stringContaining('only /mcp') });
  expect((await post(authorized, '{}', '//')).status).toBe(404);
  expect((await post(authorized, '{"half')).status).toBe(400);
  expect((await post(authorized, 'null')).status).toBe(400);
  expect((await post(authorized, Buffer.alloc(5 * 1024 * 1024, 32))).status).toBe(413);
});

test('an invalid address, a port in use and an invalid token are refused', async () => {
  const wrong = await world.cli(['mcp', '--http', 'everywhere']);
  expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining('is not a port or address') });
  const inUse = await world.cli(['mcp', '--http', url.port]);
  expect(inUse).toMatchObject({ status: 2, stderr: expect.stringContaining('EADDRINUSE') });
  const none = await world.cli(['mcp', '--http', '0', '--token-file', '/nonexistent/token']);
  expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining('/nonexistent/token cannot be used') });
});

const SHOWN = shellBlock('docs/guides/mcp.md', 'outlast mcp --http').trimEnd().split('\n');

test.each(SHOWN)('the server of the guide starts: %s', async (line) => {
  // On a free port, and for this machine only.
  const words = line
    .replace(/(--http )(\S+:)?\d+/, (_, option) => `${option}0`)
    .replace('~', world.state)
    .split(' ')
    .slice(1);
  const started = spawn(process.execPath, [BIN, ...words, '--json'], { env: world.env, cwd: tmpdir() });
  let output = '';
  started.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await eventually(() => output.includes('\n'), { what: `a server of ${line}` });
  const ready = JSON.parse(output) as { url: string; tokenFile: string };
  expect((await fetch(ready.url)).status).toBe(401);
  if (line.includes('--token-file')) expect(ready.tokenFile).toBe(join(world.state, '.outlast-token'));
  started.kill('SIGTERM');
  await eventually(() => started.exitCode !== null);
});

function closing(it: Client): AsyncDisposable & { readonly it: Client } {
  return { it, [Symbol.asyncDispose]: () => it.close() };
}
