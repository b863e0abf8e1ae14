import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bash, PageWorld } from './page-world.ts';

// The page as an installed one: what is kept of it, how it opens without its server, and how it gets a new version.

const PAGE = join(import.meta.dirname, '../../dist/page');
const SECRET = 'marzipan-4711';

let world: PageWorld;

beforeAll(async () => {
  world = await PageWorld.open();
  await world.until('navigator.serviceWorker.controller !== null');
});

afterAll(() => world[Symbol.asyncDispose]());

interface Kept {
  readonly path: string;
  readonly text: string;
}

function kept(): Promise<Kept[]> {
  return world.read(`(async () => {
    const all = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const { url } of await cache.keys())
        all.push({ path: new URL(url).pathname, text: await (await cache.match(url)).text() });
    }
    return all;
  })()`);
}

test('S19: after the use of all screens the cache has the files of the page, and nothing that it showed', async () => {
  const id = await world.start(SECRET, [{ text: `it is ${SECRET}` }, bash(`echo ${SECRET}`), { text: 'done' }]);
  await world.is(id, 'idle');
  for (const tab of ['', '/screen', '/events', '/changes', '/report']) {
    await world.go(`#/session/${id}${tab}`);
    await world.page.getByText(SECRET).first().waitFor();
  }
  for (const place of ['inbox', 'search', 'usage', 'boot', 'tree', 'new', 'settings']) {
    await world.go(`#/${place}`);
    await world.page.locator('h1, h2').first().waitFor();
  }
  await world.page.reload();
  await world.isLive();
  const all = await kept();
  const files = ['/', ...readdirSync(join(PAGE, 'assets')).map((name) => `/assets/${name}`)];
  expect(all.map(({ path }) => path).sort()).toEqual(files.sort());
  expect(all.filter(({ text }) => text.includes(SECRET) || text.includes(id)).map(({ path }) => path)).toEqual([]);
  expect(world.complaints).toEqual([]);
});

test('S19: the page cannot be framed, and listens to no messages', async () => {
  const other = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<iframe src="${world.web.origin}/"></iframe>`),
  );
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const page = await world.page.context().newPage();
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
  const [, frame] = page.frames();
  expect(frame?.url()).not.toContain(world.web.origin);
  // By its own page too, through the service worker.
  await world.page.evaluate(`(() => {
    const frame = document.createElement('iframe');
    frame.src = '/';
    document.body.append(frame);
    return new Promise((done) => { frame.onload = done; });
  })()`);
  expect(await world.read('document.querySelector("iframe").contentDocument')).toBeNull();
  await world.read('document.querySelector("iframe").remove()');
  world.complaints.length = 0;
  await page.close();
  other.close();
  other.closeAllConnections();
  const tab = await world.page.context().newCDPSession(world.page);
  const { result } = await tab.send('Runtime.evaluate', { expression: 'globalThis' });
  const { listeners } = await tab.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' });
  expect(listeners.map(({ type }) => type)).toContain('hashchange');
  expect(listeners.map(({ type }) => type)).not.toContain('message');
  expect(readFileSync(join(PAGE, 'sw.js'), 'utf8')).not.toMatch(/message/i);
});

test('the page can be installed', async () => {
  const page = await world.page.context().newCDPSession(world.page);
  const { errors, data } = await page.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { icons } = JSON.parse(data ?? '') as { icons: { src: string; type: string }[] };
  for (const { src, type } of icons) expect((await world.web.ask(src)).headers['content-type']).toBe(type);
  // A browser that keeps nothing, as this one, installs nothing.
  const { installabilityErrors } = await page.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
});

test('without its server the page opens, and says since when it is offline', async () => {
  await world.web.unserve();
  const page = await world.page.context().newPage();
  await page.goto(world.web.origin);
  await page.locator('.connection', { hasText: /^Offline since \d\d:\d\d/ }).waitFor();
  // Nobody can say what runs: it is not said that nothing does.
  await page.getByText('Not known yet').waitFor();
  expect(await page.getByText('Nothing runs').count()).toBe(0);
  await page.evaluate("location.hash = '#/inbox'");
  await page.locator('.inbox-list').getByText('Not known yet').waitFor();
  await world.web.serve();
  await world.isLive(page);
  await world.isLive();
  await page.close();
  world.complaints.length = 0;
});

test('a new version is told, and loaded when somebody says so', async () => {
  const page = join(world.folder, 'page');
  cpSync(PAGE, page, { recursive: true });
  const index = readFileSync(join(page, 'index.html'), 'utf8');
  const [old = ''] = /main-[A-Z0-9]{8}\.js/.exec(index) ?? [];
  const next = 'main-ZZZZZZZZ.js';
  renameSync(join(page, 'assets', old), join(page, 'assets', next));
  writeFileSync(join(page, 'index.html'), index.replace(old, next));
  const worker = readFileSync(join(page, 'sw.js'), 'utf8');
  writeFileSync(join(page, 'sw.js'), worker.replace(old, next).replaceAll(/"([0-9a-f]{15})[0-9a-f]"/g, '"$1z"'));
  await world.read('globalThis.isSamePage = true');
  await world.web.unserve();
  world.web.page = page;
  await world.web.serve();
  await world.page.getByText('There is a new version of this page.').waitFor();
  expect(await world.read('globalThis.isSamePage')).toBe(true);
  // The open page still finds its own parts, though the server has them no more.
  expect(await world.read(`fetch('/assets/${old}').then(({ status }) => status)`)).toBe(200);
  expect((await world.web.ask(`/assets/${old}`)).status).toBe(404);
  await world.page.getByRole('button', { name: 'Load it' }).click();
  await world.until('globalThis.isSamePage === undefined && document.querySelector("script[type=module]") !== null');
  await world.isLive();
  expect(await world.read('document.querySelector("script[type=module]").getAttribute("src")')).toBe(`/assets/${next}`);
  expect(await world.page.getByText('There is a new version of this page.').count()).toBe(0);
});
