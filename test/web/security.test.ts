import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGE_PATHS } from '../../src/api/page-shape.ts';
import { NEEDS } from '../../src/api/rights.ts';
import { type OperationName, ROUTES } from '../../src/api/routes.ts';
import { askedFor } from '../../src/client/exchange.ts';
import { times } from '../campaign.ts';
import { scriptedProof } from '../e2e/gated.ts';
import { eventually } from '../eventually.ts';
import { filesBelow } from '../tidy/tree.ts';
import { LiveClient } from './live-client.ts';
import { type Answered, codeOf, makeWebWorld, type WebDevice, type WebWorld } from './web-world.ts';

// The rules for the web page, each with its number. What needs a browser is in security-browser.test.ts.

const NAMES = Object.keys(ROUTES) as OperationName[];

let world: WebWorld;
let owner: WebDevice;

beforeAll(async () => {
  world = await makeWebWorld();
  owner = await world.device('read', 'prompt', 'exec', 'approve', 'admin');
});

afterAll(() => world[Symbol.asyncDispose]());

/** The request of an operation, about nothing that exists. */
function requestOf(name: OperationName, input: object = {}): { method: string; path: string; body: string | null } {
  const [, parameter = ''] = /:(\w+)/.exec(ROUTES[name].path) ?? [];
  const { method, target, body } = askedFor(name, { ...(parameter && { [parameter]: 'nobody' }), ...input });
  return { method, path: `${PAGE_PATHS.api}${target}`, body };
}

async function askAs(device: WebDevice | null, name: OperationName, input: object, more = {}): Promise<Answered> {
  const { method, path, body } = requestOf(name, input);
  const own = method === 'GET' ? {} : { origin: world.origin };
  const bearer = device === null ? {} : await device.headers();
  return world.ask(path, { method, headers: { ...own, ...bearer, ...more }, ...(body === null ? {} : { body }) });
}

function codeIn({ body }: Answered): string {
  return (JSON.parse(body) as { error: { code: string } }).error.code;
}

async function position(): Promise<number> {
  return (await world.client.daemonStatus()).position;
}

test('S1: it listens on loopback only; another address needs TLS or a proxy', async () => {
  const port = world.port.toString(16).padStart(4, '0').toUpperCase();
  const listening = ['tcp', 'tcp6'].flatMap((file) =>
    readFileSync(`/proc/net/${file}`, 'latin1')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '', , state]) => state === '0A' && local.endsWith(`:${port}`))
      .map(([, local = '']) => local.split(':')[0]),
  );
  expect(listening).toContain('0100007F');
  expect(listening.filter((each) => !['0100007F', '00000000000000000000000001000000'].includes(each ?? ''))).toEqual(
    [],
  );
  for (const args of [
    ['--listen', '0.0.0.0'],
    ['--listen', '192.0.2.1'],
    ['--listen', '::'],
    ['--listen', '127.1'],
  ]) {
    const ran = await world.cli(['web', '--no-open', ...args]);
    expect([args, ran.status]).toEqual([args, 2]);
    expect(ran.stderr).toContain('--tls-cert');
  }
});

test('S2: the Host must be one that is served, before anything else is looked at', async () => {
  const { port } = world;
  const wrong = [
    ...['127.0.0.1', 'localhost', `127.0.0.1.evil.test:${port}`, `127.evil.com:${port}`, `evil.test:${port}`],
    ...[`127.0.0.1:${port + 1}`, `127.0.0.2:${port}`, `0.0.0.0:${port}`, `localhost.:${port}`, `LOCALHOST:${port}`],
    ...[`user@127.0.0.1:${port}`, `[::ffff:127.0.0.1]:${port}`],
  ];
  for (const path of ['/', `${PAGE_PATHS.api}/sessions`, '/no/such/path', PAGE_PATHS.signIn]) {
    for (const host of wrong) {
      const answer = await world.ask(path, { headers: { host, ...(await owner.headers()) } });
      expect([host, answer.status, answer.body]).toEqual([host, 403, '']);
    }
  }
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
    expect((await world.ask('/', { headers: { host } })).status).toBe(200);
  const lines = [
    'GET / HTTP/1.1',
    `GET / HTTP/1.1\r\nHost: ${world.host}\r\nHost: ${world.host}`,
    `GET / HTTP/1.1\r\nHost: ${world.host}\r\nHost: evil.test`,
    `GET http://${world.host}/ HTTP/1.1\r\nHost: ${world.host}`,
    `GET http://evil.test/ HTTP/1.1\r\nHost: ${world.host}`,
    'GET / HTTP/1.0',
  ];
  for (const line of lines) expect([line, await world.raw(`${line}\r\n\r\n`)]).toEqual([line, 403]);
});

test('S3: only our own origin may call, and no header lets another one read', async () => {
  const bearer = await owner.headers();
  const input = JSON.stringify({ words: 'x' });
  const search = (headers: Record<string, string>): Promise<Answered> =>
    world.ask(`${PAGE_PATHS.api}/search`, { method: 'POST', headers: { ...bearer, ...headers }, body: input });
  const others = [
    ...['http://127.0.0.1', `http://127.0.0.1:${world.port + 1}`, `https://127.0.0.1:${world.port}`, 'null'],
    ...[`http://localhost:${world.port}`, 'http://evil.test', `${world.origin}.evil.test`, ''],
  ];
  for (const origin of others) {
    const answer = await search({ origin });
    expect([origin, answer.status, answer.body]).toEqual([origin, 403, '']);
  }
  expect((await search({})).status).toBe(403);
  expect((await search({ origin: world.origin, 'sec-fetch-site': 'same-site' })).status).toBe(403);
  expect((await search({ origin: world.origin, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await search({ origin: world.origin, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  for (const site of ['cross-site', 'same-site', 'none']) {
    const navigation = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const data = await world.ask(`${PAGE_PATHS.api}/sessions`, { headers: { ...bearer, ...navigation } });
    expect([site, data.status]).toEqual([site, 403]);
    const asScript = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' };
    expect((await world.ask('/', { headers: asScript })).status).toBe(403);
    const asFrame = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    expect((await world.ask('/', { headers: asFrame })).status).toBe(403);
  }
  const preflight = { origin: 'http://evil.test', 'access-control-request-method': 'POST' };
  const all = [
    await world.ask(`${PAGE_PATHS.api}/search`, { method: 'OPTIONS', headers: preflight }),
    await search({ origin: world.origin }),
    await world.ask('/'),
  ];
  for (const { headers } of all)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('S4: a code has 128 bits, and works once', async () => {
  const link = await world.link();
  expect(new URL(link).search).toBe('');
  const code = codeOf(link);
  expect(Buffer.from(code, 'base64url')).toHaveLength(16);
  await world.signIn(link);
  const again = await world.post(PAGE_PATHS.signIn, { code, key: owner.key.export({ format: 'jwk' }), name: 'x' });
  expect([again.status, codeIn(again)]).toEqual([410, 'link_spent']);
  const wrong = await world.post(PAGE_PATHS.signIn, { code: 'wrong', key: owner.key.export({ format: 'jwk' }) });
  expect(wrong.status).toBe(410);
  // Of many at once, one gets in.
  const raced = codeOf(await world.link());
  const key = owner.key.export({ format: 'jwk' });
  const tried = await Promise.all(
    Array.from({ length: 8 }, () => world.post(PAGE_PATHS.signIn, { code: raced, key, name: 'Raced' })),
  );
  expect(tried.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await world.cli(['web', 'link', '--for', '1h', '--json'])).toMatchObject({ status: 0 });
});

test('S5: no cookie is set, and none opens anything', async () => {
  const cookie = `session=${await owner.token()}; token=${await owner.token()}; authorization=Bearer`;
  for (const name of NAMES) {
    const answer = await askAs(null, name, {}, { cookie });
    expect([name, answer.status, codeIn(answer)]).toEqual([name, 401, 'signed_out']);
  }
  const pages = [await world.ask('/'), await owner.get(`${PAGE_PATHS.api}/sessions`), await world.ask('/nowhere')];
  for (const { headers } of pages) expect(headers['set-cookie']).toBeUndefined();
});

test('S6: a bearer needs a fresh signature for this origin, and each counts once', async () => {
  const ask = async (body: object): Promise<number> => (await world.post(PAGE_PATHS.bearer, body)).status;
  const proof = owner.proof();
  expect(await ask(proof)).toBe(200);
  expect(await ask(proof)).toBe(401);
  const other = await world.device('read');
  const wrong = [
    owner.proof({ origin: `http://localhost:${world.port}` }),
    owner.proof({ atMs: Date.now() - 61_000 }),
    owner.proof({ atMs: Date.now() + 65_000 }),
    owner.proof({ nonce: 'short' }),
    { ...owner.proof(), atMs: Date.now() + 1 },
    { ...other.proof(), device: owner.device.id },
    { ...owner.proof(), signature: '' },
  ];
  expect(await Promise.all(wrong.map(ask))).toEqual(wrong.map(() => 401));
  for (const token of ['', 'x', `${await owner.token()}x`]) {
    const headers = { authorization: `Bearer ${token}` };
    expect((await world.ask(`${PAGE_PATHS.api}/sessions`, { headers })).status).toBe(401);
  }
});

test('S7: a live connection gets nothing without a ticket, which counts once', async () => {
  const ticket = await owner.ticket();
  const first = new LiveClient(world);
  await first.sends(ticket);
  await eventually(() => first.isReady);
  const again = new LiveClient(world);
  await again.sends(ticket);
  const without = new LiveClient(world);
  const wrong = new LiveClient(world);
  await wrong.sends('x');
  const asked = new LiveClient(world);
  asked.socket.on('open', () => asked.open('session.watch'));
  await eventually(() => [again, without, wrong, asked].every(({ closed }) => closed !== null), { msMax: 10_000 });
  expect([again, without, wrong, asked].map(({ closed, bytes }) => [closed, bytes])).toEqual(
    Array.from({ length: 4 }, () => [4401, 0]),
  );
  const foreign = [
    {},
    { origin: `http://127.0.0.1:${world.port + 1}` },
    { origin: `http://localhost:${world.port}` },
    { origin: 'null' },
    { origin: world.origin, host: `evil.test:${world.port}` },
    { origin: world.origin, 'sec-fetch-site': 'cross-site' },
  ].map((headers) => new LiveClient(world, headers as Record<string, string>));
  for (const each of foreign) await each.sends(await owner.ticket());
  await eventually(() => foreign.every(({ closed }) => closed !== null));
  expect(foreign.map(({ closed, bytes }) => [closed, bytes])).toEqual(foreign.map(() => [0, 0]));
  first.close();
});

test('S8: every operation needs its grant, whatever the page sends', async () => {
  const reader = await world.device('read');
  const before = await position();
  const more = NAMES.filter((each) => NEEDS[each] !== 'read');
  for (const name of more.filter((each) => ROUTES[each].kind !== 'stream')) {
    const answer = await askAs(reader, name, {});
    expect([name, answer.status, codeIn(answer)]).toEqual([name, 403, 'grant_missing']);
  }
  // What only reads needs nothing else; what changes something never needs only that.
  const reading = NAMES.filter((name) => ROUTES[name].does === 'reads');
  expect(NAMES.filter((name) => NEEDS[name] === 'read').sort()).toEqual(reading.sort());
  const live = await LiveClient.of(world, reader);
  for (const name of more.filter((each) => ROUTES[each].kind === 'stream'))
    expect([name, (await live.error(live.open(name, { session: 'nobody' }))).code]).toEqual([name, 'grant_missing']);
  for (const name of ['session.prompt', 'session.write', 'session.stop', 'approval.decide', 'toString', 'x'])
    expect((await live.error(live.open(name, { session: 'nobody' }))).code).toBe('input_invalid');
  const none = await world.device('approve');
  const blind = await LiveClient.of(world, none);
  for (const name of ['session.watch', 'session.events', 'approval.follow', 'page.output'])
    expect((await blind.error(blind.open(name, { session: 'nobody', from: 0 }))).code).toBe('grant_missing');
  live.close();
  blind.close();
  expect(await position()).toBe(before);
});

test('S8: a phone prompts and approves; it runs nothing, types nothing and signs nobody in', async () => {
  const phone = await world.signIn(await world.link(), 'Phone');
  expect(phone.device.grants).toEqual(['read', 'prompt', 'approve']);
  const start = { agent: 'scripted', cwd: world.state };
  const agent = await world.client.start({
    agent: 'scripted',
    cwd: world.state,
    env: { PATH: process.env.PATH ?? '' },
  });
  const command = await world.client.start({ argv: ['sleep', '600'], cwd: '/', env: {}, stdin: 'open' });
  const refused: readonly (readonly [OperationName, object])[] = [
    ['session.start', { argv: ['true'], cwd: '/' }],
    ['session.start', { shell: 'true', cwd: '/' }],
    ['session.write', { session: agent.id, keys: ['Enter'] }],
    ['session.write', { session: command.id, keys: ['Enter'] }],
    ['session.attach', { session: agent.id }],
    ['session.handoff', { session: agent.id }],
    ['session.stop', { session: command.id }],
    ['session.prompt', { session: agent.id, prompt: '!true', asCommand: true }],
    ['session.stop', { session: agent.id, force: true }],
    ['session.start', { ...start, trust: true }],
    ['session.start', { ...start, policy: { budget: { turns: 0 } } }],
    ['session.start', { ...start, agentArgs: ['--yolo'] }],
    ['session.start', { ...start, set: { A: 'b' } }],
    ['session.start', { ...start, pathPrepend: ['/tmp'] }],
    ['session.start', { ...start, envNames: ['A'] }],
    ['session.resume', { session: agent.id, trust: true }],
    ['schedule.create', { at: '+1h', timezone: 'UTC', start: { ...start, trust: true } }],
    ['schedule.create', { at: '+1h', timezone: 'UTC', start: { argv: ['true'], cwd: '/' } }],
  ];
  for (const [name, input] of refused) {
    const answer = await askAs(phone, name, input);
    expect([name, input, answer.status, codeIn(answer)]).toEqual([name, input, 403, 'grant_missing']);
  }
  expect((await phone.post(PAGE_PATHS.link, { grants: ['read'] })).status).toBe(403);
  expect((await phone.post(PAGE_PATHS.revoke, { id: owner.device.id })).status).toBe(403);
  const reader = await world.device('read', 'prompt');
  const loose = { ...start, gate: { mode: 'off' } };
  expect((await askAs(reader, 'session.start', loose)).status).toBe(403);
  expect((await askAs(phone, 'session.prompt', { session: agent.id, prompt: 'hello' })).status).toBe(200);
  const writer = await world.device('read', 'exec');
  expect((await askAs(writer, 'session.write', { session: command.id, paste: 'x' })).status).toBe(200);
  expect((await askAs(writer, 'session.write', { session: agent.id, paste: 'x' })).status).toBe(403);
  await Promise.all([agent.stop(), command.stop()]);
});

test('S9: the server says who acts and in which environment; a page that does is refused', async () => {
  const caller = { pid: 1, start: null, run: null };
  const start = { agent: 'scripted', cwd: world.state };
  const forged: readonly (readonly [OperationName, object])[] = [
    ['session.stop', { session: 'x', by: 'ann' }],
    ['session.stop', { session: 'x', caller }],
    ['approval.decide', { which: 'x', allow: true, by: 'ann' }],
    ['approval.decide', { which: 'x', allow: true, caller }],
    ['session.start', { ...start, env: {} }],
    ['session.start', { ...start, env: { PATH: '/tmp' } }],
    ['session.start', { ...start, umask: 0 }],
    ['schedule.create', { at: '+1h', timezone: 'UTC', start: { ...start, env: {} } }],
    ['schedule.create', { at: '+1h', timezone: 'UTC', start: { ...start, caller } }],
    ['boot.run', { env: {} }],
    ['daemon.caller', { caller }],
    ['search.query', { words: 'x', caller }],
  ];
  for (const [name, input] of forged) {
    const answer = await askAs(owner, name, input);
    expect([name, input, answer.status, codeIn(answer)]).toEqual([name, input, 400, 'input_invalid']);
  }
  const live = await LiveClient.of(world, owner);
  expect((await live.error(live.open('session.follow', { session: 'x', owner: true }))).code).toBe('input_invalid');
  live.close();
  const started = await askAs(owner, 'session.start', { argv: ['sh', '-c', 'umask; env'], cwd: '/' });
  const { session } = JSON.parse(started.body) as { session: { id: string } };
  await world.client.wait({ session: session.id, for: 'exit' });
  const { text = '' } = await world.client.output({ session: session.id });
  expect(text).toContain(`HOME=${world.env.HOME}`);
  const running = await world.client.start({ argv: ['sleep', '600'], cwd: '/', env: {} });
  await askAs(owner, 'session.stop', { session: running.id });
  const { outcome } = (await running.show()).session;
  expect(outcome).toMatchObject({ kind: 'stopped', by: `${owner.device.name} (web)` });
});

/** A program with the key of a device, such as an agent that has stolen it. */
const THIEF = `
const [, key, device, host, path, body] = process.argv;
const { createPrivateKey, randomBytes, sign } = require('node:crypto');
const origin = 'http://' + host;
const what = { device, nonce: randomBytes(18).toString('base64url'), atMs: Date.now() };
const text = ['outlast web 1', origin, what.device, what.nonce, String(what.atMs)].join('\\n');
const how = { key: createPrivateKey(Buffer.from(key, 'base64url').toString()), dsaEncoding: 'ieee-p1363' };
const signature = sign('sha256', Buffer.from(text), how).toString('base64url');
const ask = (to, json, headers = {}) =>
  fetch(origin + to, { method: 'POST', headers: { origin, ...headers }, body: json });
(async () => {
  const { token } = await (await ask('/web/bearer', JSON.stringify({ ...what, signature }))).json();
  const answer = await ask(path, body, { authorization: 'Bearer ' + token });
  console.log(JSON.stringify({ status: answer.status, body: await answer.json() }));
})();
`;

function thiefWords(device: WebDevice, path: string, body: object, host = world.host): string[] {
  const key = Buffer.from(device.key.export({ type: 'pkcs8', format: 'pem' })).toString('base64url');
  return ['-e', THIEF, key, device.device.id, host, path, JSON.stringify(body)];
}

interface Stolen {
  readonly status: number;
  readonly body: { readonly error?: { readonly code: string; readonly message: string } };
}

/** Runs the thief, with the mark of a run or without one. */
function steal(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Stolen> {
  return new Promise((resolve) => {
    const thief = spawn(process.execPath, words, {
      env: { ...world.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    thief.stdout.on('data', (part) => {
      output += part;
    });
    thief.on('close', () => resolve(JSON.parse(output) as Stolen));
  });
}

test('S10: from inside a session nothing is changed, with any stolen key', async () => {
  const session = await world.client.start({ argv: ['sleep', '600'], cwd: '/', env: {} });
  const inside = { OUTLAST_RUN: `${session.id}.1` };
  const stop = { path: `${PAGE_PATHS.api}/sessions/${session.id}/stop`, body: {} };
  for (const host of [world.host, `[::1]:${world.port}`, `localhost:${world.port}`]) {
    const tried = await steal(thiefWords(owner, stop.path, stop.body, host), inside);
    expect([host, tried.status, tried.body.error?.code]).toEqual([host, 403, 'decider_refused']);
  }
  const others: readonly (readonly [string, object])[] = [
    [`${PAGE_PATHS.api}/sessions`, { argv: ['true'], cwd: '/' }],
    [`${PAGE_PATHS.api}/approvals/decide`, { which: 'x', allow: true }],
    [`${PAGE_PATHS.api}/daemon/stop`, {}],
    [PAGE_PATHS.link, { grants: ['read'] }],
    [PAGE_PATHS.revoke, { id: owner.device.id }],
    [PAGE_PATHS.signOut, {}],
    [PAGE_PATHS.signIn, { code: codeOf(await world.link()), key: {} }],
  ];
  for (const [path, body] of others) {
    const tried = await steal(thiefWords(owner, path, body), inside);
    expect([path, tried.status, tried.body.error?.code]).toEqual([path, 403, 'decider_refused']);
  }
  // A real run, whose process has the mark and descends from it.
  const argv = ['sh', '-c', 'exec "$@"', 'sh', process.execPath, ...thiefWords(owner, stop.path, stop.body)];
  const real = await world.client.exec({ argv, cwd: '/', env: { PATH: process.env.PATH ?? '' } });
  expect(JSON.parse(real.output)).toMatchObject({ status: 403, body: { error: { code: 'decider_refused' } } });
  for (const args of [['link'], ['revoke', owner.device.id]]) {
    const ran = await world.cli(['web', ...args], { env: { ...inside } });
    expect([args, ran.status]).toEqual([args, 4]);
    expect(ran.stderr).toContain('runs inside');
  }
  // The same from outside: it is the place that counts, not the key.
  expect((await steal(thiefWords(owner, stop.path, stop.body), {})).status).toBe(200);
});

test('S10: a server inside a session is read-only', async () => {
  const session = await world.client.start({ argv: ['sleep', '600'], cwd: '/', env: {} });
  const device = await world.device('read', 'prompt', 'exec', 'approve', 'admin');
  await world.unserve();
  expect(await world.serve([], { ...world.env, OUTLAST_RUN: `${session.id}.1` })).toBe('');
  expect((await askAs(device, 'session.list', {})).status).toBe(200);
  const stop = await askAs(device, 'session.stop', { session: session.id });
  expect([stop.status, codeIn(stop)]).toEqual([403, 'decider_refused']);
  expect((await world.cli(['web', 'link'])).stderr).toContain('runs inside');
  await world.unserve();
  await world.serve();
  await session.stop();
});

test('S10: an agent that answers its own question with a stolen key is refused, and it is an event', async () => {
  await using gated = await makeWebWorld([], {});
  const { writeFileSync } = await import('node:fs');
  writeFileSync(join(gated.state, 'gates.json'), scriptedProof());
  await gated.restart();
  const mine = await gated.device('read', 'approve');
  const step = { tool: 'Bash', input: { command: 'echo x', description: 'x' } };
  const env = { PATH: process.env.PATH ?? '', HOME: gated.env.HOME ?? '' };
  const prompt = `SCRIPT${JSON.stringify({ steps: [step] })}SCRIPT`;
  const agent = await gated.client.start({ agent: 'scripted', cwd: gated.state, env, prompt, gate: { mode: 'gate' } });
  const [asked] = await eventually(async () => {
    const all = await gated.client.approvals.list();
    return all.length > 0 && all;
  });
  const words = thiefWords(mine, `${PAGE_PATHS.api}/approvals/decide`, { which: asked?.id, allow: true }, gated.host);
  const tried = await steal(words, { OUTLAST_RUN: `${agent.id}.1` });
  expect([tried.status, tried.body.error?.code]).toEqual([403, 'decider_refused']);
  expect(await gated.events(agent.id)).toContain('approval.refused');
  expect(await gated.client.approvals.list()).toHaveLength(1);
  const fromOutside = await mine.post(`${PAGE_PATHS.api}/approvals/decide`, { which: asked?.id, allow: true });
  expect(fromOutside.status).toBe(200);
  await agent.stop();
});

/** Every file below a folder that can be read. */
function contentsBelow(folder: string): { path: string; text: string }[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return contentsBelow(path);
    return found?.isFile() ? [{ path, text: readFileSync(path, 'latin1') }] : [];
  });
}

test('S11: at rest there are only public keys, and no secret is in a log, an argument or an event', async () => {
  const link = await world.link();
  const unused = await world.link();
  const device = await world.signIn(link, 'Secretive');
  const secrets = [codeOf(link), codeOf(unused), await device.token(), await device.ticket()];
  await device.get(`${PAGE_PATHS.api}/sessions?token=none`);
  await world.post(PAGE_PATHS.signIn, { code: codeOf(unused), key: { kty: 'EC' } });
  const audited = (await world.cli(['audit', '--json'])).stdout;
  expect(audited).toContain('"browser":"Secretive"');
  const files = contentsBelow(world.state);
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ path: `/proc/${pid}/cmdline`, text: readOr(`/proc/${pid}/cmdline`) }));
  const found = [...files, ...lines, { path: 'the audit', text: audited }].flatMap(({ path, text }) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${path} has secret ${secrets.indexOf(secret)}`),
  );
  expect(files.length).toBeGreaterThan(5);
  expect(found).toEqual([]);
  for (const name of ['devices.json', 'log', 'port'])
    expect([name, statSync(join(world.state, 'web', name)).mode & 0o777]).toEqual([name, 0o600]);
  expect(statSync(join(world.state, 'web')).mode & 0o777).toBe(0o700);
  expect(statSync(join(world.state, 'web.sock')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(world.state, 'web/devices.json'), 'utf8')).toContain(device.device.id);
});

function readOr(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

test('S12: a revoked device is out within a second, its open stream with it', async () => {
  const device = await world.device('read');
  const chatty = await world.client.start({ shell: 'while :; do echo x; sleep 0.01; done', cwd: '/', env: {} });
  const live = await LiveClient.of(world, device);
  const channel = live.open('page.output', { session: chatty.id, from: 0 });
  await eventually(() => live.of(channel).length > 3);
  const listed = await world.cli(['web', 'devices']);
  expect(listed.stdout).toMatch(new RegExp(`${device.device.id} .*${device.device.name}.* read .*connected`));
  const before = performance.now();
  expect((await world.cli(['web', 'revoke', device.device.id])).status).toBe(0);
  await eventually(() => live.closed !== null, { msMax: 10_000 });
  const tookMs = performance.now() - before;
  expect(live.closed).toBe(4403);
  // The command line itself takes most of this time.
  expect(tookMs).toBeLessThan(5_000);
  const { length } = live.frames;
  expect((await device.get(`${PAGE_PATHS.api}/sessions`)).status).toBe(401);
  expect((await world.post(PAGE_PATHS.bearer, device.proof())).status).toBe(401);
  expect(live.frames).toHaveLength(length);
  const mine = await owner.get(PAGE_PATHS.devices);
  const { devices } = JSON.parse(mine.body) as { devices: { id: string; isSelf: boolean }[] };
  expect(devices.map(({ id }) => id)).not.toContain(device.device.id);
  expect(devices.find(({ isSelf }) => isSelf)?.id).toBe(owner.device.id);
  await chatty.stop();
});

/** More at once than answers that are held back for one address. */
const GUESSERS = 24;

test('S13: failed sign-ins are slowed, and the owner gets in meanwhile', async () => {
  const key = owner.key.export({ format: 'jwk' });
  const guesses = times(150, 1_000);
  const statuses: number[] = [];
  let isOwnerIn = false;
  let asked = 0;
  // They go on until the owner is in, however slow the machine is.
  const guessOn = async (): Promise<void> => {
    while (statuses.length < guesses || !isOwnerIn) {
      asked += 1;
      const forwarded = { 'x-forwarded-for': `10.0.0.${asked % 250}`, 'x-real-ip': `10.1.0.${asked % 250}` };
      const answer = await world.post(PAGE_PATHS.signIn, { code: `guess-${asked}`, key, name: 'Guess' }, forwarded);
      statuses.push(answer.status);
    }
  };
  const attackers = Array.from({ length: GUESSERS }, guessOn);
  await eventually(() => statuses.length > guesses / 2);
  expect(await world.signIn(await world.link(), 'Owner')).toBeDefined();
  isOwnerIn = true;
  await Promise.all(attackers);
  // How long each waits is in sign-in-times.test.ts; here more came at once than may wait.
  expect(new Set(statuses)).toEqual(new Set([410, 429]));
});

test('S13: a device has eight connections, and a body eight megabytes', async () => {
  const device = await world.device('read');
  const eight = await Promise.all(Array.from({ length: 8 }, () => LiveClient.of(world, device)));
  expect(eight.every(({ isReady }) => isReady)).toBe(true);
  const ninth = await LiveClient.of(world, device);
  expect([ninth.isReady, ninth.closed]).toEqual([false, 4429]);
  for (const each of eight) each.close();
  const tooLarge = Buffer.alloc(8 * 1024 * 1024 + 1, 32);
  const headers = { ...(await owner.headers()), origin: world.origin };
  const answer = await world.ask(`${PAGE_PATHS.api}/search`, { method: 'POST', headers, body: tooLarge });
  expect(answer.status).toBe(413);
});

const POLICY =
  "default-src 'none'; script-src 'self'; style-src-elem 'self' 'nonce-NONCE'; style-src-attr 'unsafe-inline'; " +
  "img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
  'trusted-types page';

test('S14: every answer has the policy and the other headers', async () => {
  const answers = [
    await world.ask('/'),
    await world.ask('/sessions/some/view'),
    await world.ask('/assets/nothing-12345678.js'),
    await owner.get(`${PAGE_PATHS.api}/sessions`),
    await world.ask(`${PAGE_PATHS.api}/sessions`),
    await world.ask('/', { headers: { host: 'evil.test' } }),
    await world.ask('/', { method: 'PUT', headers: { origin: world.origin } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 401, 403, 405]);
  const nonces = answers.map(({ headers }) => /'nonce-([\w-]+)'/.exec(String(headers['content-security-policy']))?.[1]);
  expect(new Set(nonces).size).toBe(answers.length);
  for (const [i, { headers }] of answers.entries()) {
    expect(String(headers['content-security-policy']).replace(nonces[i] ?? '', 'NONCE')).toBe(POLICY);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-dns-prefetch-control': 'off',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  }
  expect(answers[0]?.body).toContain(`nonce="${nonces[0]}"`);
  const [, script = ''] = /src="(\/assets\/main-[^"]+)"/.exec(answers[0]?.body ?? '') ?? [];
  const asset = await world.ask(script);
  expect(asset.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
});

test('S15: the page makes no element from a text', () => {
  const html = /\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|DOMParser|srcdoc|createContextualFragment/;
  const wrong = filesBelow('src/page', '.ts', '.tsx').filter(
    ({ path, text }) => !path.includes('.test.') && (html.test(text) || text.includes('dangerouslySetInnerHTML')),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
  expect(filesBelow('src/page', '.html')[0]?.text).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|style="/);
});
