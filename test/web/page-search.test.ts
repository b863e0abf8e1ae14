import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallOutput } from '../../src/api/contract.ts';
import { eventually } from '../eventually.ts';
import { claudeText, idOf } from '../integration/search-world.ts';
import { bash, PageWorld } from './page-world.ts';

// The page searches what `outlast search` searches, and leads to the turn in which it was said.

let world: PageWorld;
let zoo = '';
const EVIL = 'wombat <img src=x onerror="window.owned=1"> pay\u200bpal';

beforeAll(async () => {
  world = await PageWorld.open();
  const path = join(world.web.state, 'home/.claude/projects/-home-me-api', `${idOf(1)}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const turns = [['where is the wombat kept', 'the wombat is in src/zoo/wombat.ts']] as const;
  writeFileSync(path, claudeText('/home/me/api', turns, Date.now() - 60_000));
  zoo = await world.start('zoo', [bash('echo a wombat'), { text: 'There is a wombat.' }]);
  await world.is(zoo, 'idle');
  for (const [n, prompt] of ['one more', 'and the okapi?', EVIL].entries()) {
    await world.web.client.prompt({ session: zoo, prompt });
    await eventually(async () => (await world.web.client.show(zoo)).session.usage.turns === n + 2);
  }
  await world.is(zoo, 'idle');
  await searched('okapi', 2);
});

afterAll(async () => {
  const { complaints } = world;
  await world[Symbol.asyncDispose]();
  // What the browser itself says about a daemon that restarts, and about a search that is refused.
  expect(complaints.filter((text) => !/status of (?:4|5)\d\d/.test(text))).toEqual([]);
});

/** What the command line finds, as soon as it finds so many: agents record a little later than they answer. */
const searched = (words: string, count: number): Promise<CallOutput<'search.query'>> =>
  eventually(
    async () => {
      const { stdout } = await world.web.cli(['search', words, '--json', '--limit', '40']);
      const seen = JSON.parse(stdout) as CallOutput<'search.query'>;
      return seen.found.length >= count && seen;
    },
    { what: `${count} texts with ${words}`, msMax: 60_000 },
  );

test('it finds what the command line finds, marked, by conversation', async () => {
  const { page } = world;
  const { found } = await searched('wombat', 6);
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByText('Search what was said').waitFor();
  await page.keyboard.type('wombat');
  await eventually(async () => (await page.locator('.found').count()) === found.length, { what: 'all that was found' });
  // Hidden characters are shown as codes, so the texts are compared without them.
  const plain = (text: string): string => text.replaceAll(/\\u200b|\u200b|\s+|…/g, '');
  const shown = await page.locator('.found-text').allInnerTexts();
  expect(shown.map(plain).sort()).toEqual(found.map(({ text }) => plain(text)).sort());
  const marks = await page.locator('.found mark').allInnerTexts();
  expect([...new Set(marks.map((mark) => mark.toLowerCase()))]).toEqual(['wombat']);
  expect(await page.locator('.found-name').allInnerTexts()).toEqual(
    [...new Set(found.map(({ session }) => session?.id ?? null))].map((id) =>
      id === null ? 'claude 00000000' : 'zoo (scripted)',
    ),
  );
  // What was not started with Outlast leads nowhere; a command takes it over.
  expect(await page.locator('div.found').count()).toBe(2);
  await page.getByText(`outlast resume --conversation ${idOf(1)}`).waitFor();
  expect(await page.locator('.found img').count()).toBe(0);
  expect(await world.read('window.owned ?? null')).toBeNull();
});

test('only prompts, replies or tool calls, and words that nobody said', async () => {
  const { page } = world;
  const count = async (kind: string): Promise<number> =>
    (JSON.parse((await world.web.cli(['search', 'wombat', '--json', kind])).stdout) as CallOutput<'search.query'>).found
      .length;
  await world.go('#/search/wombat');
  for (const [word, kind] of [
    ['Tool calls', '--tools'],
    ['Prompts', '--prompts'],
  ] as const) {
    await page.getByRole('button', { name: word }).click();
    const wanted = await count(kind);
    await eventually(async () => (await page.locator('.found').count()) === wanted, { what: `${wanted} ${word}` });
  }
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.locator('.search-box input').fill('zyzzyva');
  await page.getByText('Nothing says “zyzzyva”').waitFor();
});

test('with the keyboard alone a result opens its session at the turn', async () => {
  const { page } = world;
  await world.go('#/');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('okapi');
  await page.locator('.choice', { hasText: 'Search all conversations for “okapi”' }).waitFor();
  await page.keyboard.press('Enter');
  await eventually(async () => (await page.locator('a.found').count()) === 2, { what: 'two results' });
  await page.keyboard.press('ArrowDown');
  await page.locator('.found.at').waitFor();
  await page.keyboard.press('Enter');
  const meant = page.locator('.entry.prompt.is-meant');
  await meant.waitFor();
  expect(await meant.innerText()).toContain('and the okapi?');
  expect(page.url()).toContain(`#/session/${zoo}/conversation/3`);
  // The turns before it are left out until a person wants them.
  await page.getByRole('button', { name: 'Show earlier turns' }).click();
  await page.locator('.entry.prompt', { hasText: 'work on it' }).waitFor();
  await page.goBack();
  await page.locator('.found').first().waitFor();
});

test('a search that is off says how to switch it on', async () => {
  const { page } = world;
  writeFileSync(
    join(world.web.state, 'config.json'),
    JSON.stringify({ agent: 'scripted', search: { enabled: false } }),
  );
  expect((await world.web.cli(['daemon', 'restart'])).status).toBe(0);
  await world.isLive();
  await world.go('#/search/wombat%20again');
  await page.getByText('The search is off').waitFor();
  expect(await page.locator('.empty code').innerText()).toBe(
    'outlast config set search.enabled true && outlast daemon restart',
  );
});
