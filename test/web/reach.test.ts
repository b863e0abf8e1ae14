import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { PAGE_PATHS } from '../../src/api/page-shape.ts';
import { eventually } from '../eventually.ts';
import { RealBrowser } from './chromium.ts';
import { makeCertificate, type OwnCertificate, TlsProxy } from './https.ts';
import { makeWebWorld, WebWorld } from './web-world.ts';

// How the page is reached from elsewhere: TLS of its own, a proxy with TLS, and a socket that systemd keeps.

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');

/** The local addresses that are listened on at a port, as the system tells. */
function listeningAt(port: number): string[] {
  const { stdout } = spawnSync('ss', ['-Hltn', `sport = :${port}`], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(/\s+/)[3] ?? '')
    .sort();
}

/** An address of this machine besides loopback; a machine without one has a second of loopback. */
function otherAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2';
}

/** Asks over TLS, trusting only this certificate; returns the status and the body. */
function askTls(
  { cert }: OwnCertificate,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { ca: cert, servername: 'localhost', agent: false, headers }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (part) => {
        body += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    asked.on('error', reject).end();
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

test('S1: the system shows no socket but those of loopback', async () => {
  await using world = await makeWebWorld();
  const found = listeningAt(world.port);
  expect(found).toContain(`127.0.0.1:${world.port}`);
  expect(found.filter((each) => ![`127.0.0.1:${world.port}`, `[::1]:${world.port}`].includes(each))).toEqual([]);
});

test('with a certificate it serves https on another address, and the Host must be one of its own', async () => {
  const address = otherAddress();
  await using world = new WebWorld();
  await world.start();
  const certificate = makeCertificate(world.state, address);
  const { certFile, keyFile, flag } = certificate;
  const link = await world.serve(['--listen', address, '--tls-cert', certFile, '--tls-key', keyFile]);
  const { port } = world;
  expect(listeningAt(port)).toContain(`${address}:${port}`);
  for (const name of ['127.0.0.1', 'localhost', address])
    expect([name, (await askTls(certificate, `https://${name}:${port}/`)).status]).toEqual([name, 200]);
  for (const host of ['evil.test', `evil.test:${port}`, address, '127.0.0.1'])
    expect([host, await askTls(certificate, `https://127.0.0.1:${port}/`, { host })]).toEqual([
      ...[host, { status: 403, body: '' }],
    ]);
  // Without TLS nothing is answered.
  await expect(world.ask('/')).rejects.toThrow();
  expect(link).toContain(`https://127.0.0.1:${port}/#code=`);
  const more = await world.link();
  expect(more).toContain(`https://${address}:${port}/#code=`);
  await using browser = await RealBrowser.start(process.env, [flag]);
  const { page, context, complaints } = await browser.page();
  await page.goto(more);
  await page.locator('html[data-connection=live]').waitFor();
  expect(await context.cookies()).toEqual([]);
  expect(complaints).toEqual([]);
});

test('every address needs a name, and is no name itself', async () => {
  await using world = new WebWorld();
  await world.start();
  const { certFile, keyFile } = makeCertificate(world.state);
  const tls = ['--tls-cert', certFile, '--tls-key', keyFile];
  const nameless = await world.cli(['web', '--no-open', '--listen', '0.0.0.0', ...tls]);
  expect([nameless.status, nameless.stderr]).toEqual([2, expect.stringContaining('--host NAME:PORT')]);
  await world.serve(['--listen', '0.0.0.0', '--behind-proxy', '--host', 'desk.example']);
  expect(listeningAt(world.port)).toEqual([`0.0.0.0:${world.port}`]);
  expect((await world.ask('/', { headers: { host: `0.0.0.0:${world.port}` } })).status).toBe(403);
  expect((await world.ask('/', { headers: { host: 'desk.example' } })).status).toBe(200);
});

test('S2, S3: behind a proxy with TLS a link leads to its name, and the rules for Host and Origin hold', async () => {
  await using world = new WebWorld();
  await world.start();
  const certificate = makeCertificate(world.state);
  await using proxy = new TlsProxy(certificate, () => world.port);
  const origin = await proxy.start();
  const host = new URL(origin).host;
  await world.serve(['--host', host]);
  const link = await world.link();
  expect(link).toContain(`${origin}/#code=`);
  // The rules hold through it: another Host, the http origin of the same server, and a page elsewhere.
  const statusOf = async (headers: Record<string, string>): Promise<number> =>
    (await askTls(certificate, `${origin}${PAGE_PATHS.devices}`, headers)).status;
  expect(await statusOf({ host: 'evil.test' })).toBe(403);
  expect(await statusOf({ origin: world.origin })).toBe(403);
  expect(await statusOf({ origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await statusOf({ origin })).toBe(401);
  const upgrade = (from: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`wss://${host}${PAGE_PATHS.live}`, { ca: certificate.cert, origin: from });
      socket.on('open', () => resolve('open')).on('error', (error) => resolve(error.message));
    });
  expect(await upgrade(world.origin)).toContain('403');
  expect(await upgrade(origin)).toBe('open');
});

test('a service gets its port from systemd, prints no link, and is not started beside another server', async () => {
  await using world = new WebWorld();
  await world.start();
  const port = await freePort();
  const words = ['-l', `127.0.0.1:${port}`, process.execPath, BIN, 'web', '--service'];
  const passes = Object.keys(world.env).flatMap((name) => ['-E', name]);
  const server = spawn('systemd-socket-activate', [...passes, ...words], { env: world.env, cwd: tmpdir() });
  let said = '';
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (part) => {
      said += part;
    });
  try {
    // The first connection starts it, and waits for it.
    await eventually(() => listeningAt(port).length === 1, { what: 'a socket of systemd' });
    await eventually(async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => null))?.status === 200);
    expect(said).toContain(`The web page is at http://127.0.0.1:${port}.`);
    expect(said).not.toContain('#code=');
    expect(await world.link()).toContain(`http://127.0.0.1:${port}/#code=`);
    expect(readFileSync(join(world.state, 'web/port'), 'utf8')).toBe(`${port}\n`);
    const second = await world.cli(['web', '--service']);
    expect([second.status, second.stderr]).toEqual([4, expect.stringContaining('served already')]);
  } finally {
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await gone;
  }
});
