import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PageWorld } from './page-world.ts';

// The settings: who is signed in, links for others, how the page looks, notices and checks.

let world: PageWorld;

beforeAll(async () => {
  world = await PageWorld.open();
});

afterAll(async () => {
  expect(world.complaints).toEqual([]);
  await world[Symbol.asyncDispose]();
});

test('a link with a code to scan signs in a browser with the chosen grants, which can be signed out', async () => {
  const { page } = world;
  await page.keyboard.press('g');
  await page.keyboard.press(',');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  expect(page.url()).toContain('#/settings');
  await page.getByText('this browser', { exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'prompt' }).uncheck();
  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.getByRole('img', { name: 'The link as a QR code' }).waitFor();
  await page.getByText(/^Works for [45]:\d\d more$/).waitFor();
  const link = await page.locator('.pairing code').innerText();
  const other = await world.web.signIn(link, 'Firefox on Android');
  expect(other.device.grants).toEqual(['read', 'approve']);
  await page.getByText('Signed in: Firefox on Android', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Sign out: Firefox on Android' }).click();
  await page.locator('dialog[open]').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign out: Firefox on Android' }).waitFor({ state: 'detached' });
  expect((await world.web.post('/web/bearer', other.proof())).status).toBe(401);
});

test('the code to scan is the link', async () => {
  const { page } = world;
  await world.go('#/settings');
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = await page.locator('.pairing code').innerText();
  await page.locator('.qr').waitFor();
  // Chromium on Linux has no detector of its own, so the picture is compared with that of the same text.
  const drawn = await page.locator('.qr path').getAttribute('d');
  const { encode } = await import('uqr');
  const { data } = encode(link, { ecc: 'M', border: 2 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])));
  expect([...(drawn ?? '').matchAll(/M(\d+ \d+)/g)].map(([, at]) => at)).toEqual(dark);
  await page.getByRole('button', { name: 'Hide the link' }).click();
});

test('a link that has expired is not shown any more', async () => {
  const { page, context } = await world.browser.page();
  await page.clock.install();
  await page.goto(await world.web.link('--allow', 'read,admin'));
  await world.isLive(page);
  await page.evaluate("location.hash = '#/settings'");
  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.locator('.qr').waitFor();
  await page.clock.fastForward('05:01');
  await page.getByText('The link has expired.').waitFor();
  expect(await page.locator('.pairing').count()).toBe(0);
  await context.close();
});

test('theme, rows and text are as chosen, also after a reload', async () => {
  const { page } = world;
  const { id } = await world.web.client.start({ argv: ['sleep', '1000'], name: 'tall', cwd: world.folder });
  await world.go('#/settings');
  await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Light' }).click();
  await page.getByRole('group', { name: 'Rows' }).getByRole('button', { name: 'Compact' }).click();
  await page.getByRole('group', { name: 'Text' }).getByRole('button', { name: 'Large' }).click();
  await page.reload();
  await world.isLive();
  expect(await world.read('Object.assign({}, document.documentElement.dataset)')).toMatchObject({
    ...{ theme: 'light', density: 'compact', textSize: 'large' },
  });
  await world.go('#/');
  await page.locator('.row').first().waitFor();
  // The list reckons with the height that the style gives.
  const heights = `['.virtual-item:has(.row)', '.row'].map((each) => document.querySelector(each).offsetHeight)`;
  expect(await world.read(heights)).toEqual([46, 46]);
  await world.web.client.session(id).stop();
});

test('the checks of the installation and of the audit are run when asked for', async () => {
  const { page } = world;
  await world.go('#/settings');
  await page.getByRole('button', { name: 'Verify the audit' }).click();
  await page.getByText(/rows?, (?:all )?unchanged$/).waitFor();
  await page.getByRole('button', { name: 'Check the installation' }).click();
  await page.locator('.check-name', { hasText: 'journal' }).first().waitFor();
});

test('a notice is tested from the page, and shows what came of it', async () => {
  const { page } = world;
  const seen = join(world.folder, 'noticed');
  const notice = { name: 'to-file', on: ['announced'], command: ['sh', '-c', `cat > ${seen}`] };
  await world.web.client.setNotice({ notice });
  await world.go('#/');
  await world.go('#/settings');
  await page.getByText('nothing delivered since the daemon started').waitFor();
  await page.getByRole('button', { name: 'Test: to-file' }).click();
  await page.getByText('to-file: the test message was sent.').waitFor();
  expect(readFileSync(seen, 'utf8')).toContain('a test of the notice to-file');
});

test('a browser that may only read sees itself alone, and makes no link', async () => {
  const { page, context } = await world.browser.page();
  await page.goto(await world.web.link('--allow', 'read'));
  await world.isLive(page);
  await page.evaluate("location.hash = '#/settings'");
  await page.getByText('Only a browser with the grant admin sees the others.').waitFor();
  expect(await page.locator('.devices').first().locator('li').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Make a link' }).count()).toBe(0);
  await page.getByRole('button', { name: /^Sign out/ }).click();
  await page.locator('dialog[open]').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('This browser is not signed in').waitFor();
  await context.close();
});
