import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { connect as connectType } from '../../src/client/browser.ts';
import { makeWorld, type World } from '../world.ts';

const ROOT = join(import.meta.dirname, '../..');
const TOKEN = 'let me in';

let world: World;
let server: Server;
let url: string;
let connect: typeof connectType;

/** A proxy that forwards requests with the token to the daemon. */
function front(state: string): Server {
  return createServer((incoming, response) => {
    if (incoming.headers.authorization !== `Bearer ${TOKEN}`) return void response.writeHead(401).end('{}');
    const { method = 'GET', url: path = '/', headers } = incoming;
    const onward = { socketPath: join(state, 'daemon.sock'), method, path: path.replace(/^\/api/, ''), headers };
    incoming.pipe(
      request(onward, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }).on('error', () => response.destroy()),
    );
    response.on('error', () => {});
  });
}

beforeAll(async () => {
  world = await makeWorld();
  server = front(world.state);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const entryPoints = [join(ROOT, 'src/client/browser.ts')];
  const made = await build({
    entryPoints,
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'sdk',
    write: false,
  });
  // What a browser has, and nothing of Node.
  const web = {
    fetch,
    TextDecoder,
    URLSearchParams,
    AbortController,
    AbortSignal,
    performance,
    setTimeout,
    clearTimeout,
  };
  const page = createContext({ ...web, Symbol, Error });
  runInContext(`${made.outputFiles[0]?.text}; globalThis.sdk = sdk`, page);
  ({ connect } = (page as { sdk: { connect: typeof connectType } }).sdk);
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await world[Symbol.asyncDispose]();
});

test('the browser build names no module of Node, and is what package.json says', () => {
  const text = readFileSync(join(ROOT, 'dist/browser.js'), 'utf8');
  expect(text).not.toMatch(/["']node:|getBuiltinModule|\brequire\(|\bBuffer\b/);
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(exports['./browser'].default).toBe('./dist/browser.js');
});

test('without Node, a session is started, followed, conversed with and listed', async () => {
  const outlast = connect({ url, token: TOKEN });
  const ran = await outlast.exec({ shell: 'echo from afar', cwd: '/', env: { PATH: process.env.PATH ?? '' } });
  expect(ran).toMatchObject({ output: 'from afar\n', session: { exit: { status: 0 } } });
  const env = { PATH: process.env.PATH ?? '', HOME: world.state };
  const agent = await outlast.start({ agent: 'scripted', cwd: world.state, env });
  expect((await agent.converse('hello')).reply).toBe('You said: hello');
  await agent.stop();
  const types: string[] = [];
  for await (const event of agent.events()) types.push(event.event);
  expect(types.at(-1)).toBe('session.ended');
  expect((await outlast.list()).sessions).toHaveLength(2);
});

test('errors have their code, and a wait can be aborted', async () => {
  const outlast = connect({ url, token: TOKEN });
  await expect(outlast.show('nobody')).rejects.toMatchObject({ code: 'session_not_found' });
  const session = await outlast.start({ argv: ['sleep', '600'], cwd: '/', env: { PATH: process.env.PATH ?? '' } });
  const over = new AbortController();
  const wait = session.wait({}, over.signal);
  over.abort(new Error('enough'));
  await expect(wait).rejects.toThrow('enough');
  await session.stop();
  await expect(connect({ url: 'http://127.0.0.1:1' }).list()).rejects.toMatchObject({ code: 'daemon_unreachable' });
});

test('the schemas of every operation are published', () => {
  const schemas = JSON.parse(readFileSync(join(ROOT, 'dist/schemas.json'), 'utf8'));
  expect(schemas['session.start'].input.properties.prompt).toMatchObject({ type: 'string' });
  const { exports, files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(exports['./schemas.json']).toBe('./dist/schemas.json');
  expect(exports['./openapi.json']).toBe('./docs/openapi.json');
  expect(files).toContain('docs');
});
