import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGE_PATHS } from '../../src/api/page-shape.ts';
import type { OperationName } from '../../src/api/routes.ts';
import { ROUTES } from '../../src/api/routes.ts';
import { deepTest, times, tried } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { head, RawClient } from './raw-client.ts';
import { makeWebWorld, type WebDevice, type WebWorld } from './web-world.ts';

// Requests that no browser sends: to get past a check, to be read in two ways, or to use the server up.

let world: WebWorld;
let owner: WebDevice;

beforeAll(async () => {
  world = await makeWebWorld();
  owner = await world.device('read', 'prompt', 'exec', 'approve', 'admin');
});

afterAll(() => world[Symbol.asyncDispose]());

async function isServing(): Promise<void> {
  expect((await owner.get(`${PAGE_PATHS.api}/sessions`)).status).toBe(200);
}

/** What comes back for some bytes, after which the connection ends. */
async function answersTo(bytes: string): Promise<number[]> {
  const client = await RawClient.to(world);
  client.send(bytes);
  client.socket.end();
  await client.closed();
  return client.statuses;
}

test('requests that two servers could read in two ways are refused', async () => {
  const { host } = world;
  const inner = head('GET', `${PAGE_PATHS.api}/sessions`, { host, ...(await owner.headers()) });
  const h2c = { host, connection: 'upgrade', upgrade: 'h2c' };
  const post = (headers: string, body: string): string =>
    `POST ${PAGE_PATHS.bearer} HTTP/1.1\r\nhost: ${host}\r\norigin: ${world.origin}\r\n${headers}\r\n\r\n${body}`;
  const cases: Readonly<Record<string, string>> = {
    'both lengths': post('content-length: 4\r\ntransfer-encoding: chunked', `0\r\n\r\n${inner}`),
    'two lengths': post('content-length: 0\r\ncontent-length: 5', inner),
    'a list of lengths': post('content-length: 0, 0', inner),
    'a length with a sign': post('content-length: +0', inner),
    'an unknown encoding': post('transfer-encoding: xchunked', `0\r\n\r\n${inner}`),
    'two encodings': post('transfer-encoding: chunked\r\ntransfer-encoding: identity', `0\r\n\r\n${inner}`),
    'an encoding after a tab': post('transfer-encoding:\tchunked\r\ncontent-length: 3', `0\r\n\r\n${inner}`),
    'a space before the colon': post('content-length : 0', inner),
    'a folded header': post('x: 1\r\n content-length: 0', inner),
    'a line end without a return': `GET / HTTP/1.1\nhost: ${host}\n\n${inner}`,
    'a zero in a header': post('x: \0', ''),
    'a return in a header': post('x: 1\rcontent-length: 0', inner),
    'a wrong chunk': post('transfer-encoding: chunked', `-1\r\n${inner}`),
    'another version': `GET / HTTP/3.0\r\nhost: ${host}\r\n\r\n`,
    'no version': `GET /\r\n${inner}`,
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'the hello of TLS': `\x16\x03\x01\x02\x00\x01${'\x00'.repeat(200)}`,
    'a tunnel': `CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n${inner}`,
    'the whole server': `OPTIONS * HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
    'an unknown method': `STEAL / HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
    'small letters': `get / HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
    'an upgrade to HTTP/2': head('GET', PAGE_PATHS.live, h2c) + inner,
    'an address with another name': `GET http://user@${host}/ HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
    'a host with a path': `GET / HTTP/1.1\r\nhost: ${host}/\r\n\r\n`,
    'a host after a space': `GET / HTTP/1.1\r\nhost: ${host} evil.test\r\n\r\n`,
    'a host in two headers': `GET / HTTP/1.1\r\nhost: ${host}\r\nHoSt: evil.test\r\n\r\n`,
  };
  for (const [name, bytes] of Object.entries(cases)) {
    const statuses = await answersTo(bytes);
    expect([name, statuses.filter((status) => status < 400)]).toEqual([name, []]);
    expect([name, statuses.length]).toEqual([name, Math.min(statuses.length, 1)]);
  }
  tried('hand-made requests to the page', Object.keys(cases).length);
  await isServing();
});

test('what is too large or too much is refused early, also before anybody has signed in', async () => {
  const { host, origin } = world;
  const large: Readonly<Record<string, readonly [string, number]>> = {
    'a header': [head('GET', '/', { host, x: 'x'.repeat(100_000) }), 431],
    'an address': [head('GET', `/${'x'.repeat(100_000)}`, { host }), 431],
    'many headers': [
      head('GET', '/', Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`x${i}`, 'x']))),
      431,
    ],
  };
  for (const [name, [bytes, status]] of Object.entries(large))
    expect([name, await answersTo(bytes)]).toEqual([name, [status]]);
  const length = { 'content-length': String(7 * 1024 * 1024) };
  for (const path of [PAGE_PATHS.signIn, PAGE_PATHS.bearer]) {
    const client = await RawClient.to(world);
    client.send(head('POST', path, { host, origin, ...length }));
    // Nothing of the body has come, and nothing of it is waited for.
    await eventually(() => client.statuses.length === 1);
    expect([path, client.statuses]).toEqual([path, [413]]);
    client.close();
    const chunked = await RawClient.to(world);
    chunked.send(head('POST', path, { host, origin, 'transfer-encoding': 'chunked' }));
    chunked.send(`8000\r\n${' '.repeat(0x8000)}\r\n`);
    await eventually(() => chunked.statuses.length === 1);
    expect([path, chunked.statuses]).toEqual([path, [413]]);
    chunked.close();
  }
  for (const path of [PAGE_PATHS.ticket, PAGE_PATHS.link, PAGE_PATHS.revoke, `${PAGE_PATHS.api}/search`]) {
    const client = await RawClient.to(world);
    client.send(head('POST', path, { host, origin, ...length }));
    await eventually(() => client.statuses.length === 1);
    expect([path, client.statuses]).toEqual([path, [401]]);
    client.close();
  }
  await isServing();
});

deepTest('connections that send slowly end, and so make room', async () => {
  const { host, origin } = world;
  const slow = await Promise.all(Array.from({ length: 20 }, () => RawClient.to(world)));
  for (const [i, client] of slow.entries())
    client.send(
      i % 2
        ? `GET / HTTP/1.1\r\nhost: ${host}\r\n`
        : head('POST', PAGE_PATHS.bearer, { host, origin, 'content-length': '9' }),
    );
  await eventually(() => slow.every(({ isClosed }) => isClosed), { msMax: 110_000, what: 'the end of slow requests' });
});

test('names of properties that every object has mean nothing', async () => {
  const words = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
  for (const word of words) {
    const grants = await owner.post(PAGE_PATHS.link, { grants: [word] });
    expect([word, grants.status]).toEqual([word, 400]);
    const own = await world.ask(`${PAGE_PATHS.api}/sessions?${word}=x&${word}=y`, { headers: await owner.headers() });
    expect([word, own.status < 500]).toEqual([word, true]);
    expect([word, (await owner.get(`${PAGE_PATHS.api}/${word}`)).status]).toEqual([word, 400]);
    expect([word, (await owner.get(`${PAGE_PATHS.api}/sessions/${word}`)).status]).toEqual([word, 404]);
  }
  const reader = await world.device('read', 'prompt', 'approve');
  const start = { agent: 'scripted', cwd: world.state };
  /** Tries to run a command, with the grants of a phone. */
  const decoys: readonly string[] = [
    JSON.stringify({ argv: ['true'], cwd: '/', start: { agent: 'scripted' } }),
    JSON.stringify({ argv: ['true'], cwd: '/', agent: 'command' }),
    JSON.stringify({ argv: ['true'], cwd: '/', agent: null }),
    JSON.stringify({ argv: ['true'], cwd: '/', agent: '' }),
    JSON.stringify({ ...start, argv: ['true'] }),
    JSON.stringify({ ...start, shell: 'true' }),
    `{"argv":["true"],"cwd":"/","__proto__":{"agent":"scripted"}}`,
    `{"agent":"scripted","agent":null,"argv":["true"],"cwd":"/"}`,
    `{"agent":"scripted","cwd":"/","__proto__":{"trust":true}}`,
    `{"agent":"scripted","cwd":"/","constructor":{"prototype":{"trust":true}}}`,
    JSON.stringify({ ...start, start: { argv: ['true'] } }),
    JSON.stringify([{ ...start }]),
  ];
  const before = (await world.client.list({})).sessions.length;
  for (const body of decoys) {
    const headers = { ...(await reader.headers()), origin: world.origin };
    const answer = await world.ask(`${PAGE_PATHS.api}/sessions`, { method: 'POST', headers, body });
    expect([body, answer.status >= 400 && answer.status < 500]).toEqual([body, true]);
  }
  expect((await world.client.list({})).sessions.length).toBe(before);
  expect(({} as Record<string, unknown>).agent).toBeUndefined();
});

test('no path leads out of the files of the page', async () => {
  const paths = [
    ...['/../package.json', '/assets/../../package.json', '/assets/..%2f..%2fpackage.json', '/%2e%2e/package.json'],
    ...['/assets/%2e%2e%2f%2e%2e%2fpackage.json', '//etc/passwd', '/\\..\\package.json', '/assets//etc/passwd'],
    ...['/assets/main.js%00.html', '/index.html', '/.git/config', '/assets/', '/assets/..;/x', '/devices.json'],
    ...['/web/devices.json', '/assets/__proto__', '/__proto__', '/constructor', '/file:///etc/passwd', '/?../x'],
  ];
  const index = (await world.ask('/')).body.replaceAll(/nonce="[^"]*"/g, '');
  for (const path of paths) {
    const { status, body, headers } = await world.ask(path);
    expect([path, status === 404 || body.replaceAll(/nonce="[^"]*"/g, '') === index]).toEqual([path, true]);
    expect([path, String(headers['content-type'] ?? 'text/html')]).toEqual([
      path,
      expect.stringContaining('text/html'),
    ]);
  }
});

/** Numbers that are the same in each run: a failure can be found again. */
function* numbers(seed: number): Generator<number, never, void> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

test('thousands of damaged requests: no data, no failure of the server', async () => {
  const random = numbers(17);
  const next = (below: number): number => Math.floor(random.next().value * below);
  const pick = <T>(all: readonly T[]): T => all[next(all.length)] as T;
  const paths = [
    ...Object.keys(ROUTES).map((name) => `${PAGE_PATHS.api}${ROUTES[name as OperationName].path}`),
    '/',
    ...Object.values(PAGE_PATHS),
  ];
  const bits = [
    '\0',
    '\r\n',
    '\n',
    ' ',
    '%',
    '%00',
    '%2f',
    '..',
    '//',
    '\\',
    '?',
    '#',
    ':',
    '{"a":',
    '\xff',
    '\t',
    ',',
    ';',
    'chunked',
    '0',
  ];
  const seed = (): string => {
    const body = pick(['', '{}', '{"code":1}', '[', '{"session":{}}', 'null', '{"__proto__":1}']);
    return (
      head(pick(['GET', 'POST', 'DELETE', 'PUT', 'HEAD', 'OPTIONS']), pick(paths), {
        ...{
          host: world.host,
          origin: pick([world.origin, 'null', '']),
          authorization: pick(['', 'Bearer x', `Bearer ${'A'.repeat(22)}`]),
        },
        ...{ 'sec-fetch-site': pick(['same-origin', 'cross-site']), 'content-length': String(body.length) },
      }) + body
    );
  };
  const damaged = (text: string): string => {
    let at = text;
    for (let n = next(4); n > 0; n -= 1) {
      const place = next(at.length);
      at = at.slice(0, place) + pick(bits) + at.slice(place + next(3));
    }
    return at;
  };
  const count = times(2_000, 20_000);
  const found: string[] = [];
  const ok = new Set<string>();
  for (let batch = 0; batch < count; batch += 40) {
    const requests = Array.from({ length: 40 }, () => damaged(seed()));
    const clients = await Promise.all(requests.map(() => RawClient.to(world)));
    for (const [i, client] of clients.entries()) {
      client.send(requests[i] ?? '');
      client.socket.end();
    }
    await eventually(() => clients.every(({ isClosed }) => isClosed), { what: 'the end of every request' });
    for (const [i, { text, statuses }] of clients.entries()) {
      if (statuses.some((status) => status >= 500)) found.push(`${statuses}: ${JSON.stringify(requests[i])}`);
      // Only the page itself is for everybody.
      if (statuses.includes(200)) ok.add(/content-type: [^\r]*/.exec(text)?.[0] ?? '');
    }
  }
  expect(found).toEqual([]);
  expect([...ok]).toEqual(['content-type: text/html; charset=utf-8']);
  tried('damaged requests to the page', count);
  await isServing();
});
