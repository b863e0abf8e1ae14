import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGE_PATHS } from '../../src/api/page-shape.ts';
import { times, tried } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { LiveClient } from './live-client.ts';
import { head, RawClient } from './raw-client.ts';
import { codeOf, makeWebWorld, type WebDevice, type WebWorld } from './web-world.ts';

// Attacks that are about the moment: a device that is revoked while it asks, a process that is gone before it is seen.

let world: WebWorld;
let owner: WebDevice;

beforeAll(async () => {
  world = await makeWebWorld();
  owner = await world.device('read', 'prompt', 'exec', 'approve', 'admin');
});

afterAll(() => world[Symbol.asyncDispose]());

/** A request of a device whose body is still on its way. */
async function begun(
  device: WebDevice,
  path: string,
  body: object,
): Promise<{ client: RawClient; finish: () => void }> {
  const client = await RawClient.to(world);
  const text = JSON.stringify(body);
  const headers = {
    host: world.host,
    origin: world.origin,
    ...(await device.headers()),
    'content-length': `${text.length}`,
  };
  client.send(head('POST', path, headers) + text.slice(0, -1));
  return { client, finish: () => client.send(text.slice(-1)) };
}

const revoke = async ({ device }: WebDevice): Promise<void> => {
  expect((await owner.post(PAGE_PATHS.revoke, { id: device.id })).status).toBe(200);
};

test('S12: a request that was begun before its device was revoked does nothing when it is finished', async () => {
  const session = await world.client.start({ argv: ['sleep', '600'], cwd: '/', env: {} });
  const device = await world.device('read', 'prompt', 'exec', 'approve', 'admin');
  const all = await Promise.all([
    begun(device, `${PAGE_PATHS.api}/sessions/${session.id}/stop`, {}),
    begun(device, `${PAGE_PATHS.api}/sessions`, { argv: ['true'], cwd: '/' }),
    begun(device, PAGE_PATHS.link, { grants: ['read'] }),
    begun(device, PAGE_PATHS.ticket, {}),
    begun(device, PAGE_PATHS.revoke, { id: owner.device.id }),
  ]);
  const count = (await world.client.list({})).sessions.length;
  await revoke(device);
  for (const { finish } of all) finish();
  await eventually(() => all.every(({ client }) => client.statuses.length > 0 || client.isClosed), { what: 'answers' });
  expect(all.map(({ client }) => client.statuses)).toEqual(all.map(() => [401]));
  expect((await session.show()).session.phase).not.toBe('ended');
  expect((await world.client.list({})).sessions.length).toBe(count);
  expect((await owner.get(PAGE_PATHS.devices)).status).toBe(200);
  await session.stop();
});

test('S12: a call that waits ends when its device is revoked', async () => {
  const session = await world.client.start({ argv: ['sleep', '600'], cwd: '/', env: {} });
  const device = await world.device('read');
  const waiting = await RawClient.to(world);
  const path = `${PAGE_PATHS.api}/sessions/${session.id}/wait?for=exit&timeoutMs=60000`;
  waiting.send(head('GET', path, { host: world.host, ...(await device.headers()) }));
  await device.get(`${PAGE_PATHS.api}/sessions`);
  expect(waiting.statuses).toEqual([]);
  await revoke(device);
  await eventually(() => waiting.statuses.length > 0, { msMax: 20_000, what: 'the end of a wait' });
  expect(waiting.statuses).toEqual([401]);
  await session.stop();
});

test('S12: what a revoked device has got before opens nothing: links, tickets, bearers, signatures', async () => {
  const device = await world.device('read', 'admin');
  const made = JSON.parse((await device.post(PAGE_PATHS.link, { grants: ['read', 'admin'] })).body) as { url: string };
  const [ticket, proof, headers] = [await device.ticket(), device.proof(), await device.headers()];
  await revoke(device);
  const key = owner.key.export({ format: 'jwk' });
  const signIn = await world.post(PAGE_PATHS.signIn, { code: codeOf(made.url), key, name: 'Back' });
  expect(signIn.status).toBe(410);
  expect((await world.post(PAGE_PATHS.bearer, proof)).status).toBe(401);
  expect((await world.ask(`${PAGE_PATHS.api}/sessions`, { headers })).status).toBe(401);
  const live = new LiveClient(world);
  await live.sends(ticket);
  await eventually(() => live.closed !== null);
  expect([live.closed, live.bytes]).toEqual([4401, 0]);
});

test('S12: whatever comes first, a revoked device gets no ticket that opens a connection', async () => {
  for (let round = 0; round < times(3, 30); round += 1) {
    const device = await world.device('read');
    await device.token();
    const live = new LiveClient(world);
    const opening = device.ticket().then((ticket) => live.sends(ticket));
    await Promise.all([opening.catch(() => {}), revoke(device)]);
    await eventually(() => live.closed !== null, { msMax: 10_000, what: 'the end of the connection' });
  }
});

/** Sends a request with a stolen bearer, and is gone before anybody can look where it runs. */
const HASTY = `
const [, port, request, how] = process.argv;
const socket = require('node:net').connect(Number(port), '127.0.0.1', () => {
  const fs = require('node:fs');
  // Written at once, without the event loop: then the process is no more.
  fs.writeSync(socket._handle.fd, Buffer.from(request, 'base64'));
  if (how === 'killed') process.kill(process.pid, 'SIGKILL');
  if (how === 'closed') socket.destroy();
  if (how === 'half closed') socket.end();
});
socket.on('error', () => {});
`;

test('S10: a process of a session that is gone before it is looked up changes nothing', async () => {
  const session = await world.client.start({ argv: ['sleep', '600'], cwd: '/', env: {} });
  const headers = { host: world.host, origin: world.origin, ...(await owner.headers()), 'content-length': '2' };
  const request = `${head('POST', `${PAGE_PATHS.api}/sessions/${session.id}/stop`, headers)}{}`;
  const env = { ...world.env, OUTLAST_RUN: `${session.id}.1` };
  const words = ['-e', HASTY, String(world.port), Buffer.from(request).toString('base64')];
  for (const how of ['killed', 'closed', 'half closed'])
    for (let round = 0; round < times(4, 25); round += 1) {
      const thief = spawn(process.execPath, [...words, how], { env, stdio: 'ignore' });
      await new Promise((resolve) => thief.once('close', resolve));
    }
  tried('requests of processes that are gone', 3 * times(4, 25));
  // What came before this is answered before it.
  await owner.get(`${PAGE_PATHS.api}/sessions`);
  expect((await session.show()).session.phase).not.toBe('ended');
  expect(await world.events(session.id)).not.toContain('session.stopping');
  // The same from outside, without haste.
  expect((await owner.post(`${PAGE_PATHS.api}/sessions/${session.id}/stop`)).status).toBe(200);
});
