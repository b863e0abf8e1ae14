import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGE_PATHS } from '../../src/api/page-shape.ts';
import { eventually } from '../eventually.ts';
import { buildBarePage, isState, openBare } from './bare-page.ts';
import { RealBrowser } from './chromium.ts';
import { codeOf, WebWorld } from './web-world.ts';

// The rules for the web page that only a browser can show.

let world: WebWorld;
let chromium: RealBrowser;
/** A page on another port of this machine, as a development server of an agent is one. */
let other: Server;
let otherOrigin: string;

beforeAll(async () => {
  world = new WebWorld({ config: { agent: 'scripted' } });
  await world.start();
  world.page = await buildBarePage(world);
  await world.serve();
  chromium = await RealBrowser.start(world.env);
  other = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>other</title><body></body>');
  });
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  otherOrigin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});

afterAll(async () => {
  other.closeAllConnections();
  other.close();
  await chromium[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

test('S3: a page on another port of this machine reaches nothing', async () => {
  const { page, context } = await chromium.page();
  await openBare(page, await world.link());
  const stranger = await context.newPage();
  await stranger.goto(otherOrigin);
  const url = (path: string): string => JSON.stringify(`${world.origin}${path}`);
  const failing = (how: string): Promise<unknown> =>
    stranger.evaluate(`(${how}).then((it) => it, (error) => 'refused')`);
  for (const init of ['{}', "{ mode: 'no-cors', credentials: 'include' }", "{ method: 'POST', body: '{}' }"]) {
    const fetched = `fetch(${url(`${PAGE_PATHS.api}/sessions`)}, ${init})
      .then((it) => it.type === 'opaque' ? 'opaque' : it.text())`;
    expect(['refused', 'opaque']).toContain(await failing(fetched));
  }
  const live = JSON.stringify(`ws://${world.host}${PAGE_PATHS.live}`);
  const socket = `new Promise((ok, no) => { const it = new WebSocket(${live});
    it.onopen = () => ok('open'); it.onerror = no; })`;
  expect(await failing(socket)).toBe('refused');
  const events = `new Promise((ok, no) => { const it = new EventSource(${url(`${PAGE_PATHS.api}/events`)});
    it.onopen = () => ok('open'); it.onerror = no; })`;
  expect(await failing(events)).toBe('refused');
  for (const path of ['/', '/assets/main.js']) {
    const script = `new Promise((ok, no) => { const it = document.createElement('script'); it.src = ${url(path)};
      it.onload = () => ok('loaded'); it.onerror = no; document.body.append(it); })`;
    expect([path, await failing(script)]).toEqual([path, 'refused']);
  }
  await stranger.evaluate(
    `{ const it = document.createElement('iframe'); it.src = ${url('/')}; document.body.append(it); }`,
  );
  await eventually(() => stranger.frames().length > 1);
  const framed = stranger.frames()[1];
  await eventually(async () => (await framed?.evaluate('document.readyState')) === 'complete');
  expect(await framed?.evaluate('globalThis.live === undefined')).toBe(true);
  const posted = stranger.waitForResponse((response) => response.request().method() === 'POST');
  await stranger.evaluate(`{ const it = document.createElement('form'); it.method = 'post';
    it.action = ${url(`${PAGE_PATHS.api}/daemon/stop`)}; document.body.append(it); it.submit(); }`);
  expect((await posted).status()).toBe(403);
  expect((await world.client.daemonStatus()).pid).toBeGreaterThan(0);
  await context.close();
});

test('S4: after the sign-in neither the address, the history nor the referrer has the code', async () => {
  const { page, context } = await chromium.page();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url(), JSON.stringify(request.headers())));
  const link = await world.link();
  await page.goto('about:blank');
  await openBare(page, link);
  const code = codeOf(link);
  expect(page.url()).toBe(`${world.origin}/`);
  expect(await page.evaluate('document.referrer + location.href + JSON.stringify(history.state)')).not.toContain(code);
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.filter((text) => text.includes(code) && !text.includes('#'))).toEqual([]);
  await page.goto('about:blank');
  await page.goBack();
  await isState(page, 'live');
  expect(page.url()).not.toContain(code);
  const second = (await chromium.page()).page;
  await second.goto(link);
  await isState(second, 'signed out');
  expect(await second.evaluate('live.state.value.why')).toBe('link spent');
  expect(second.url()).not.toContain(code);
  await second.context().close();
  await context.close();
});

test('S6: the key cannot be exported, belongs to one origin, and survives a reload', async () => {
  const { page, context } = await chromium.page();
  await openBare(page, await world.link());
  const inStore = `new Promise((ok, no) => { const it = indexedDB.open('outlast', 1); it.onerror = () => no(it.error);
    it.onupgradeneeded = () => no(new Error('no such database'));
    it.onsuccess = () => { const got = it.result.transaction('keys').objectStore('keys').get('device');
      got.onsuccess = () => ok(got.result); }; })`;
  const exported = `${inStore}.then(({ key }) => crypto.subtle.exportKey('pkcs8', key)).then(() => 'exported', String)`;
  expect(await page.evaluate(exported)).toContain('not extractable');
  expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie')).toBe('{}');
  expect(await context.cookies()).toEqual([]);
  const stranger = await context.newPage();
  await stranger.goto(otherOrigin);
  expect(await stranger.evaluate(`${inStore}.then(() => 'a key', String)`)).toContain('no such database');
  await page.reload();
  await isState(page, 'live');
  expect(await page.evaluate('live.device.value.grants')).toEqual(['read', 'prompt', 'approve']);
  await context.close();
});

test('S12: a page learns of a new sign-in, and says at once that its own device was revoked', async () => {
  const { page, context } = await chromium.page();
  await openBare(page, await world.link());
  const id = (await page.evaluate('live.device.value.id')) as string;
  const listed = (await page.evaluate('live.devices()')) as { id: string; isSelf: boolean }[];
  expect(listed.map(({ isSelf }) => isSelf)).toEqual([true]);
  await world.signIn(await world.link(), 'Newcomer');
  await eventually(async () => (await page.evaluate('live.newcomer.value?.name')) === 'Newcomer');
  await page.evaluate(`live.state.subscribe(({ is }) => { globalThis.signedOut ??= is; })`);
  expect((await world.cli(['web', 'revoke', id])).status).toBe(0);
  await eventually(async () => (await page.evaluate('globalThis.signedOut')) === 'signed out', { msMax: 5_000 });
  expect(await page.evaluate('live.state.value.why')).toBe('revoked');
  expect(await page.evaluate('live.outlast.list().then(() => "a list", ({ code }) => code)')).toBe('signed_out');
  await context.close();
});

/** Chromium that is started by a program, opens a link and says what came of it. */
const THIEF = `
const { chromium } = require('playwright-core');
(async () => {
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
  const page = await browser.newPage();
  await page.goto(process.argv[1]);
  // The page's policy forbids the eval of waitForFunction. The test's own deadline ends this.
  while (!(await page.evaluate('globalThis.live !== undefined'))) await page.waitForTimeout(50);
  const ask = "fetch('/web/sign-in', { method: 'POST', body: '{}' }).then((it) => it.json())";
  const { error } = await page.evaluate(ask);
  console.log(JSON.stringify({ is: await page.evaluate('live.state.value.is'), code: error.code }));
  await browser.close();
})();`;

test('S10: a browser inside a session cannot be signed in', async () => {
  const link = await world.link();
  const argv = [process.execPath, '-e', THIEF, link];
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: world.state,
    NODE_PATH: join(import.meta.dirname, '../../node_modules'),
  };
  const ran = await world.client.exec({ argv, cwd: join(import.meta.dirname, '../..'), env });
  expect(JSON.parse(ran.output)).toEqual({ is: 'signed out', code: 'decider_refused' });
  // The link was not used up by the refusal.
  await world.signIn(link);
});

test('S14: the real page opens without a violation of its policy', async () => {
  await using own = new WebWorld({ config: { agent: 'scripted' } });
  await own.start();
  await own.serve();
  const { page, context, complaints } = await chromium.page();
  await page.addInitScript(`globalThis.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));`);
  await page.goto(await own.link());
  await eventually(() => page.evaluate("document.documentElement.dataset.connection === 'live'"));
  expect(await page.evaluate('globalThis.violations')).toEqual([]);
  // It is refused, not merely unused: a script in the page, a style without the nonce, a text as an element.
  const tried = `(async () => { const done = [];
    const style = document.createElement('style'); style.textContent = 'body { color: red }';
    document.head.append(style);
    try { document.body.innerHTML = '<b>x</b>'; done.push('html'); } catch {}
    const script = document.createElement('script'); try { script.textContent = 'globalThis.ran = 1'; } catch {}
    document.body.append(script); await new Promise((ok) => requestAnimationFrame(ok));
    return [done, globalThis.ran, style.sheet === null || style.sheet.cssRules.length === 0]; })()`;
  expect(await page.evaluate(tried)).toEqual([[], undefined, true]);
  expect(complaints.length).toBeGreaterThan(0);
  await context.close();
});
