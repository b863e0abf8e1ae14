import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallOutput } from '../../src/api/contract.ts';
import type { BootView } from '../../src/api/contract-boot.ts';
import { keep } from '../boot-files.ts';
import { shell, storyOf } from '../e2e/spawning.ts';
import { eventually } from '../eventually.ts';
import { PageWorld } from './page-world.ts';

// The places of the page that are loaded on use, against what the command line prints for the same world.

let world: PageWorld;
const EVIL = '<b>make</b> the tests\u202e pass';

beforeAll(async () => {
  world = await PageWorld.open({ boot: { agents: ['scripted'] } });
});

afterAll(async () => {
  const { complaints } = world;
  await world[Symbol.asyncDispose]();
  expect(complaints).toEqual([]);
});

const json = async <T>(...words: string[]): Promise<T> =>
  JSON.parse((await world.web.cli([...words, '--json'])).stdout) as T;

/** The cells of a table on the page, by row. */
const cells = (table: string): Promise<string[][]> =>
  world.read(
    `[...document.querySelectorAll('${table} tbody tr')]
      .map((row) => [...row.cells].map((cell) => cell.innerText.trim()))`,
  );

test('empty places say what to do', async () => {
  for (const [key, text] of [
    ['u', 'Nothing was used in 7 days'],
    ['t', 'No session has started another'],
    ['b', 'Nothing was looked at yet'],
  ] as const) {
    await world.page.keyboard.press('g');
    await world.page.keyboard.press(key);
    await world.page.getByText(text).waitFor();
  }
  expect(world.page.url()).toContain('#/boot');
});

test('usage has the numbers of `outlast usage`, and says what is not known', async () => {
  const { page } = world;
  const id = await world.start('counted', [{ text: 'one' }]);
  await world.is(id, 'idle');
  await world.web.client.prompt({ session: id, prompt: 'two' });
  await eventually(async () => (await world.web.client.show(id)).session.usage.turns === 2);
  await world.go('#/usage');
  const told = await json<CallOutput<'usage.days'>>('usage');
  await page.locator('.chart').waitFor();
  expect(await page.locator('.place-about').innerText()).toBe(`Days in ${told.timeZone}`);
  const { models, sessions, total } = told;
  const tail = ({ turns, tokens, usd }: typeof total): string[] => [
    ...[String(turns), tokens.toLocaleString('en')],
    usd === null ? 'not reported' : `$${usd.toFixed(2)}`,
  ];
  expect(await cells('[aria-label="By model"] .data')).toEqual(
    models.map((each) => [each.model ?? 'model not reported', '', ...tail(each)]),
  );
  expect(await cells('[aria-label="By session"] .data')).toEqual(
    sessions.map((each) => [each.name, '', ...tail(each)]),
  );
  expect((await page.locator('.figures dd').allInnerTexts()).toReversed()).toEqual(tail(total));
  // A bar for each of seven days; something was used on the last one.
  expect(await page.locator('.chart-bar').count()).toBe(7);
  await page.getByRole('button', { name: 'Tokens' }).click();
  expect(await page.locator('.chart-bar').last().locator('.series').count()).toBe(models.length);
  await page.getByRole('button', { name: 'Today' }).click();
  await page.locator('.share-bar').waitFor();
  expect(page.url()).toContain('#/usage/1');
  await page.getByText('No agent has reported a limit that is still open.').waitFor();
});

test('the tree is that of `outlast list --tree`, and stopping says what else ends', async () => {
  const { page } = world;
  const spawns = (name: string, steps: readonly object[]): object => {
    const story = Buffer.from(storyOf(steps)).toString('base64');
    return shell(`echo ${story} | base64 -d | outlast spawn --agent scripted --name ${name} -`);
  };
  const steps = [spawns('kid', [shell('sleep 1000')]), spawns('sister', [{ text: 'ok' }]), shell('sleep 1000')];
  const boss = (await world.web.cli(['start', '--agent', 'scripted', '--name', 'boss', storyOf(steps)])).stdout.trim();
  await eventually(async () => (await world.web.client.show('sister')).session.phase === 'ended', {
    what: 'the end of sister',
    msMax: 60_000,
  });
  await world.go('#/tree');
  await eventually(async () => (await page.locator('.node').count()) === 3, { what: 'three sessions in a tree' });
  const { sessions } = await json<CallOutput<'session.list'>>('list', '--tree');
  const mine = sessions.filter(({ id, owner }) => id === boss || owner?.session === boss);
  const shown = await world.read<string[][]>(
    `[...document.querySelectorAll('.node')].map(({ dataset }) => [dataset.session, dataset.under])`,
  );
  expect(shown.map(([id, under]) => [id, Number(under)]).sort()).toEqual(
    mine.map(({ id, owner }) => [id, owner?.depth ?? 0]).sort(),
  );
  expect(await page.locator('.tree-limits').innerText()).toMatch(/No budget for the tree\s*Depth 1 \/ 1/);
  await page.getByRole('button', { name: 'Show the updates' }).click();
  await page.locator('.updates li', { hasText: 'sister → boss' }).first().waitFor();
  // By the keyboard: to the root, and to its stop.
  await page.keyboard.press('j');
  await world.until("document.activeElement.matches('.node.at .node-name')");
  await page.getByRole('button', { name: 'Stop: boss' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('This session ends too:').waitFor();
  expect(await dialog.locator('.ends-with li').allInnerTexts()).toEqual(['kid']);
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await world.is('kid', 'ended');
  await world.is(boss, 'ended');
});

test('boot lists what `outlast boot` finds, and resumes what is ticked', async () => {
  const { page } = world;
  const where = { config: join(world.web.env.HOME ?? '', '.outlast-scripted'), cwd: world.folder };
  const [first, second] = [keep('asked', where), keep('called', where)];
  for (const state of ['done', 'failed', 'damaged'] as const) keep(state, where);
  await world.go('#/boot');
  await page.getByRole('button', { name: 'Look now' }).click();
  await page.locator('.to-resume').waitFor();
  const seen = await json<BootView>('boot', '--dry-run');
  const ids = await page.locator('.to-resume code').allInnerTexts();
  const interrupted = seen.conversations.filter(({ verdict }) => verdict === 'interrupted').map(({ id }) => id);
  expect(ids.sort()).toEqual(interrupted.sort());
  expect(ids.sort()).toEqual([first.id, second.id].sort());
  const rows = await cells('.judged');
  const others = seen.conversations.filter(({ verdict }) => verdict !== 'interrupted');
  expect(rows.map(([verdict]) => verdict).sort()).toEqual(others.map(({ verdict }) => verdict).sort());
  expect(others.map(({ verdict }) => verdict)).toEqual(expect.arrayContaining(['complete', 'failed', 'unknown']));
  const counts = await page.locator('.verdicts li').allInnerTexts();
  expect(counts.map((text) => text.trim()).sort()).toEqual(
    Object.entries(seen.counts)
      .filter(([, count]) => count > 0)
      .map(([verdict, count]) => `${verdict} ${count}`)
      .sort(),
  );
  await page.getByText('1 conversation continues').waitFor({ state: 'hidden' });
  await page.locator(`[id="resume-${second.id}"]`).focus();
  await page.keyboard.press('Space');
  await page.getByText('1 conversation continues as a session').waitFor();
  await page.getByRole('button', { name: 'Resume 1' }).click();
  const line = page.locator('.to-resume-one.over .progress-line');
  await line.getByText('Resumed as').waitFor({ timeout: 60_000 });
  const { sessions } = await json<CallOutput<'session.list'>>('list');
  const resumed = sessions.filter(({ conversation }) => [first.id, second.id].includes(conversation ?? ''));
  expect(resumed.map(({ conversation }) => conversation)).toEqual([first.id]);
  await page.locator('.boot-earlier li').first().waitFor();
});

test('text of agents runs nothing in any place', async () => {
  const { page } = world;
  await world.prompted('evil', `${EVIL} <img src=x onerror="window.owned=1">`);
  for (const place of ['#/usage', '#/tree', '#/boot', '#/search/make']) {
    await world.go(place);
    await page.locator('.place-page').waitFor();
    expect(await page.locator('.place-page img, .place-page b').count()).toBe(0);
  }
  expect(await world.read('window.owned ?? null')).toBeNull();
});

test('a place whose answer does not come says why, and tries again', async () => {
  const { page } = world;
  await page.route('**/usage?*', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/json',
      body: JSON.stringify({ error: { code: 'input_invalid', message: 'days are over', hint: '' } }),
    }),
  );
  await world.go('#/usage/30');
  await page.locator('.failure', { hasText: 'days are over' }).waitFor();
  await page.unroute('**/usage?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.chart').waitFor();
  // What the browser itself says about an answer that is an error.
  world.complaints.splice(
    0,
    world.complaints.length,
    ...world.complaints.filter((text) => !/status of 422/.test(text)),
  );
});
