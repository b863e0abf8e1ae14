import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deepTest } from '../campaign.ts';
import { shell, storyOf } from '../e2e/spawning.ts';
import { eventually } from '../eventually.ts';
import { bash, PageWorld } from './page-world.ts';

// What a person meets less often: many tabs, children, doubt, a question that nobody answers, and small screens.

let world: PageWorld;

beforeAll(async () => {
  world = await PageWorld.open();
});

afterAll(async () => {
  const { complaints } = world;
  await world[Symbol.asyncDispose]();
  expect(complaints).toEqual([]);
});

test('in eight tabs at once the list is shown, and stays live', async () => {
  const before = await world.start('before-the-tabs', [{ text: 'hello' }]);
  await world.is(before, 'idle');
  const context = world.page.context();
  const others = await Promise.all(Array.from({ length: 7 }, () => context.newPage()));
  const tabs = [world.page, ...others];
  await Promise.all(others.map((tab) => tab.goto(world.web.origin)));
  const shows = (name: string): Promise<unknown> =>
    Promise.all(tabs.map((tab) => tab.locator('.row-name', { hasText: name }).waitFor({ timeout: 60_000 })));
  await shows('before-the-tabs');
  await world.start('after-the-tabs', [{ text: 'hello' }]);
  await shows('after-the-tabs');
  for (const tab of others) await tab.close();
});

test('a session that another one started is under it, and further in', async () => {
  const { page } = world;
  const story = Buffer.from(storyOf([{ text: 'ok' }, shell('sleep 1000')])).toString('base64');
  const spawn = shell(`echo ${story} | base64 -d | outlast spawn --agent scripted --name kid -`);
  const started = await world.web.cli(['start', '--agent', 'scripted', '--name', 'boss', storyOf([spawn])]);
  const boss = started.stdout.trim();
  const kid = await eventually(async () => (await world.web.client.show('kid').catch(() => null))?.session.id, {
    what: 'the child',
  });
  await world.go('#/');
  await page.locator(`.row[data-session="${kid}"] .owned`).waitFor();
  const order = await world.read<string[]>("[...document.querySelectorAll('.row')].map((row) => row.dataset.session)");
  expect(order.indexOf(String(kid))).toBe(order.indexOf(boss) + 1);
  const startOf = (id: string): Promise<number> =>
    world.read(`document.querySelector('.row[data-session="${id}"] .glyph').getBoundingClientRect().left`);
  expect(await startOf(String(kid))).toBeGreaterThan(await startOf(boss));
});

test('a session that is resumed on the page goes on in its conversation and its events', async () => {
  const { page } = world;
  const id = await world.start('goes-on', [{ text: 'Before the end.' }]);
  await world.is(id, 'idle');
  await world.go(`#/session/${id}`);
  await page.locator('.reply', { hasText: 'Before the end.' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Stop' }).click();
  await world.is(id, 'ended');
  await page.getByRole('button', { name: 'Resume' }).click();
  await world.is(id, 'idle');
  await page.locator('.composer textarea').fill('after the end');
  await page.locator('.composer textarea').press('Enter');
  await page.locator('.reply', { hasText: 'You said: after the end' }).waitFor();
  expect(await page.locator('.reply').count()).toBe(2);
  await world.go(`#/session/${id}/events`);
  await page.locator('.event-row').first().waitFor();
  await world.web.client.stop({ session: id });
  await world.is(id, 'ended');
  await world.web.client.resume({ session: id });
  await world.is(id, 'idle');
  await world.web.client.prompt({ session: id, prompt: 'once more' });
  await page.locator('.event-row', { hasText: 'once more' }).first().waitFor();
});

test('what is opened while something else is open stays', async () => {
  const { page } = world;
  await world.go('#/');
  await page.keyboard.press('?');
  await page.locator('.key-sheet').waitFor();
  await page.keyboard.press('Control+k');
  await page.locator('.palette').waitFor();
  // The sheet was taken away, and says so a moment later.
  const frame = 'new Promise((over) => requestAnimationFrame(over))';
  for (let i = 0; i < 3; i += 1) await world.read(frame);
  expect(await page.locator('.palette').count()).toBe(1);
  expect(await page.locator('.key-sheet').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.locator('.palette').waitFor({ state: 'detached' });
});

deepTest('of a prompt that may not have arrived a person is asked, and it is not sent again', async () => {
  const { page } = world;
  const folder = join(world.web.env.HOME ?? '', '.outlast-scripted');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'manners.json'), JSON.stringify({ lostEnters: 1_000 }));
  const live = { agent: 'scripted', drive: 'live', terminal: 'tmux', name: 'deaf', trust: true } as const;
  const { id } = await world.web.client.start({ ...live, cwd: world.folder });
  await world.is(id, 'idle');
  rmSync(join(folder, 'manners.json'));
  await world.go(`#/session/${id}`);
  const box = page.locator('.composer textarea');
  await box.fill('into the void');
  await box.press('Enter');
  const asked = page.locator('.queued.need', { hasText: 'into the void' });
  await asked.getByText('It is not known whether this arrived').waitFor({ timeout: 90_000 });
  await asked.getByText('It is not sent again by itself.').waitFor();
  await asked.getByRole('button', { name: 'Put back' }).click();
  await world.until("document.querySelector('.composer textarea').value === 'into the void'");
  await asked.waitFor({ state: 'detached' });
  const types = await world.web.events(id);
  const of = (type: string): number => types.filter((each) => each === type).length;
  expect([of('prompt.sending'), of('prompt.unsure'), of('prompt.dropped')]).toEqual([1, 1, 1]);
  await world.web.client.stop({ session: id });
});

test('a question whose time is over is denied, and says so', async () => {
  const { page } = world;
  const prompt = storyOf([bash('touch late'), { text: 'over' }]);
  const policy = { approvalMsMax: 8_000 };
  const gate = { mode: 'gate' as const, allow: [] };
  const { id } = await world.web.client.start({
    ...{ agent: 'scripted', name: 'late', prompt, cwd: world.folder, gate, policy },
  });
  const asked = await world.asked(id);
  await world.go(`#/inbox/${asked.id}`);
  await page.locator('.question .time-left').waitFor();
  await page.locator('.decision.bad', { hasText: 'Denied by timeout' }).waitFor();
  expect(await page.locator('.answers').count()).toBe(0);
  expect((await world.web.events(id)).filter((type) => type === 'approval.decided')).toHaveLength(1);
});

test('the box to write in stays above the keyboard of a phone', async () => {
  const { page } = world;
  const id = await world.start('on-a-phone', [{ text: 'line\n\n'.repeat(60) }]);
  await world.is(id, 'idle');
  await page.setViewportSize({ width: 390, height: 844 });
  await world.go(`#/session/${id}`);
  await page.locator('.reply').waitFor();
  const box = page.locator('.composer textarea');
  await box.focus();
  const endOf = async (): Promise<number> => {
    const { y = 0, height = 0 } = (await box.boundingBox()) ?? {};
    return y + height;
  };
  // Where the keyboard makes the page smaller.
  await page.setViewportSize({ width: 390, height: 440 });
  await eventually(async () => (await endOf()) <= 440, { what: 'a box above the keyboard' });
  await page.setViewportSize({ width: 390, height: 844 });
  await eventually(async () => (await endOf()) > 700, { what: 'a box at the end of the page' });
  // Where it covers the page, and only the part in sight is smaller.
  const cover = (height: number): Promise<unknown> =>
    world.read(`(() => {
      Object.defineProperty(visualViewport, 'height', { configurable: true, get: () => ${height} });
      visualViewport.dispatchEvent(new Event('resize'));
    })()`);
  await cover(440);
  await eventually(async () => (await endOf()) <= 440, { what: 'a box above a keyboard that covers the page' });
  await cover(844);
  await eventually(async () => (await endOf()) > 700, { what: 'a box at the end of the page' });
  await page.setViewportSize({ width: 1_280, height: 720 });
});

test('the keys of a terminal are large enough to touch, and Alt+L says its last lines', async () => {
  const { web, folder, browser } = world;
  const argv: [string, ...string[]] = ['sh', '-c', "seq -f 'line %.0f' 30; exec cat -v"];
  const { id } = await web.client.start({ argv, terminal: 'pty', cwd: folder });
  const context = await browser.browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(await web.link('--allow', 'read,exec'));
  await world.isLive(page);
  await page.evaluate(`location.hash = '#/session/${id}/screen'`);
  await page.locator('.screen', { hasText: 'line 30' }).waitFor();
  await page.keyboard.press('Alt+l');
  const said = page.locator('[data-last-lines]');
  const lines = async (): Promise<string> => ((await said.textContent()) ?? '').trim();
  await eventually(async () => (await lines()).includes('line 30'), { what: 'the last lines' });
  expect((await lines()).split('\n')).toEqual(Array.from({ length: 10 }, (_, i) => `line ${21 + i}`));
  expect(await said.getAttribute('aria-live')).toBe('assertive');
  // The text of a screen can be selected as any text.
  const selected = `(() => {
    const row = [...document.querySelectorAll('.screen-row')].find((each) => each.textContent.includes('line 30'));
    getSelection().selectAllChildren(row);
    return String(getSelection()).trim();
  })()`;
  expect(await page.evaluate(selected)).toBe('line 30');

  await page.getByRole('button', { name: 'Type here' }).tap();
  await page.locator('.key-bar button').first().waitFor();
  const sizes = `[...document.querySelectorAll('.key-bar button')]
    .map((each) => each.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))`;
  const smallest = (await page.evaluate(sizes)) as number[];
  expect(smallest.length).toBeGreaterThanOrEqual(9);
  expect(Math.min(...smallest)).toBeGreaterThanOrEqual(44);
  await page.getByRole('button', { name: 'Esc' }).tap();
  await page.locator('.xterm-rows', { hasText: '^[' }).waitFor();
  await page.getByRole('button', { name: 'Give back' }).tap();
  await page.locator('.screen', { hasText: '^[' }).waitFor();
  await context.close();
  await web.client.stop({ session: id });
});
