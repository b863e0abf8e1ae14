import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keep } from '../boot-files.ts';
import { some } from '../campaign.ts';
import { shell, storyOf } from '../e2e/spawning.ts';
import { eventually } from '../eventually.ts';
import { bash, PageWorld } from './page-world.ts';

// Every screen, on a desk and on a phone, light and dark: it can be read by everybody, and nothing is wider than it.

let world: PageWorld;
const places = new Map<string, { readonly fragment: string; readonly shows: string }>();

beforeAll(async () => {
  world = await PageWorld.open({ boot: { agents: ['scripted'] } });
  const kept = { config: join(world.web.env.HOME ?? '', '.outlast-scripted'), cwd: world.folder };
  for (const state of ['asked', 'called', 'done', 'failed'] as const) keep(state, kept);
  await world.web.cli(['boot']);
  const reply = '# Title\n\nA **reply** with `code`, [a link](https://example.com) and a list:\n\n- one\n- two\n\n';
  const cells =
    '| a | b |\n| --- | --- |\n| 1 | a-very-long-word-without-a-break-that-does-not-fit-on-a-phone-at-all |\n';
  const talked = await world.start('talked', [bash('exit 1'), { text: reply + cells }]);
  const broken = await world.killed('broken');
  const repository = world.repository('edited');
  const file = join(repository, 'a-very-long-name-of-a-file-that-does-not-fit-on-a-phone.ts');
  const long = `const long = '${'word '.repeat(40)}';\n`;
  const steps = [{ tool: 'Write', input: { file_path: file, content: long } }, { text: 'done' }];
  const edited = await world.start('edited', steps, undefined, repository);
  const gated = await world.start('gated', [bash(`echo ${'long '.repeat(60)}`), { text: 'x' }], { allow: [] });
  const busy = await world.start('busy', [bash('sleep 1000')]);
  await world.is(talked, 'idle');
  await world.is(busy, 'working');
  await world.is(edited, 'idle');
  const table = '┌────┬────┐\\n│ カ │ ok │\\n└────┴────┘\\n';
  const { id: shown } = await world.web.client.start({
    ...{ argv: ['sh', '-c', `printf '${table}'; exec sleep 1000`], terminal: 'pty', cwd: world.folder },
  });
  const asked = await world.asked(gated);
  await startTree();
  await world.web.client.prompt({ session: busy, prompt: 'next' });
  places.set('fleet', { fragment: '#/', shows: '.row' });
  places.set('conversation', { fragment: `#/session/${talked}`, shows: '.reply' });
  places.set('queue', { fragment: `#/session/${busy}`, shows: '.queued' });
  places.set('question in a conversation', { fragment: `#/session/${gated}`, shows: '.asking .armed' });
  places.set('screen', { fragment: `#/session/${shown}/screen`, shows: '.screen-row' });
  places.set('terminal', { fragment: `#/session/${shown}/screen`, shows: '.screen-row' });
  places.set('search', { fragment: '#/search', shows: '.empty' });
  places.set('search without a result', { fragment: '#/search/zyzzyva', shows: '.empty' });
  places.set('usage', { fragment: '#/usage', shows: '.chart' });
  places.set('usage of a day', { fragment: '#/usage/1', shows: '.share-bar' });
  places.set('boot', { fragment: '#/boot', shows: '.to-resume' });
  places.set('tree', { fragment: '#/tree', shows: '.node' });
  places.set('events', { fragment: `#/session/${broken}/events`, shows: '.event-row.bad' });
  places.set('changes', { fragment: `#/session/${edited}/changes`, shows: '.file-lines .added' });
  places.set('no changes', { fragment: `#/session/${talked}/changes`, shows: '.file, .view-empty' });
  places.set('report', { fragment: `#/session/${broken}/report`, shows: '.sheet h4' });
  places.set('inbox', { fragment: '#/inbox', shows: '.question-row' });
  places.set('settings', { fragment: '#/settings', shows: '.devices .device' });
  places.set('new', { fragment: '#/new', shows: '.new-dialog #new-prompt' });
  places.set('new command', { fragment: '#/new', shows: '.new-dialog' });
  places.set('question', { fragment: `#/inbox/${asked.id}`, shows: '.question .armed' });
});

/** A session that another one started. */
async function startTree(): Promise<void> {
  const kid = Buffer.from(storyOf([{ text: 'ok' }])).toString('base64');
  const spawn = shell(`echo ${kid} | base64 -d | outlast spawn --agent scripted --name kid -`);
  await world.web.cli(['start', '--agent', 'scripted', '--name', 'boss', storyOf([spawn, shell('sleep 1000')])]);
  await eventually(() => world.web.client.show('kid').catch(() => null), { what: 'a child' });
}

afterAll(async () => {
  expect(world.complaints).toEqual([]);
  await world[Symbol.asyncDispose]();
});

const LOOKS = [
  { width: 390, theme: 'light' },
  { width: 1440, theme: 'dark' },
  { width: 390, theme: 'dark' },
  { width: 1440, theme: 'light' },
] as const;

/** What is opened on some of them first. */
const OPENED: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  terminal: async (page) => {
    await page.getByRole('button', { name: 'Type here' }).click();
    await page.locator('.xterm-rows', { hasText: 'ok' }).waitFor();
  },
  'new command': async (page) => {
    await page.getByRole('button', { name: 'Command' }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('.new-fault').waitFor();
  },
  events: async (page) => {
    await page.locator('.event-row.bad').last().click();
    await page.locator('.evidence').waitFor();
  },
  changes: async (page) => {
    await page.locator('.added button.number').first().click();
    await page.locator('.comment-box textarea').fill('Shorter.');
    await page.locator('.comment-box .primary').click();
    await page.locator('.file-head .icon-button').first().click();
    await page.locator('.comments-bar').waitFor();
  },
};

test.each(some(LOOKS, LOOKS.length))('at $width px, $theme', async ({ width, theme }) => {
  const { page } = world;
  await page.setViewportSize({ width, height: width < 640 ? 844 : 900 });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  const found: string[] = [];
  for (const [name, { fragment, shows }] of places) {
    await world.go(fragment);
    await page.locator(shows).first().waitFor();
    await OPENED[name]?.(page);
    found.push(...(await seriousOf(page)).map((each) => `${name}: ${each}`), ...(await tooWide(page, name)));
  }
  for (const [key, shows] of [
    ['?', '.key-sheet'],
    ['Control+k', '.palette'],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator(shows).waitFor();
    found.push(...(await seriousOf(page)).map((each) => `${shows}: ${each}`));
    await page.keyboard.press('Escape');
  }
  expect(found).toEqual([]);
});

test('what can be touched is large enough on a phone', async () => {
  const { page } = world;
  await page.setViewportSize({ width: 390, height: 844 });
  await world.go('#/');
  await page.locator('.row').first().waitFor();
  const small = `[...document.querySelectorAll('.rail .place, .row, .search input')]
    .map((each) => [each.className, each.getBoundingClientRect()])
    .filter(([, { height, width }]) => width > 0 && height < 40).map(([name]) => name)`;
  expect(await world.read(small)).toEqual([]);
});

/** The serious findings of axe on what is shown. */
async function seriousOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Is the page wider than the window? */
async function tooWide(page: Page, name: string): Promise<string[]> {
  const wide = 'document.documentElement.scrollWidth > innerWidth';
  return (await page.evaluate(wide)) ? [`${name} scrolls sideways`] : [];
}
