import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { LiveClient } from './live-client.ts';
import { PageWorld } from './page-world.ts';

// The terminal of a session on the page: what it shows, and what a person types at it.

let world: PageWorld;

beforeAll(async () => {
  world = await PageWorld.open();
});

beforeEach(async () => {
  await world.go('#/');
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

test.each(['tmux', 'pty'] as const)('vim in %s looks on the page as on the command line, row by row', async (kind) => {
  const file = join(world.folder, `${kind}.c`);
  writeFileSync(file, Array.from({ length: 60 }, (_, i) => `int line${i} = ${i}; /* 日本 ┌─┐ 👍 */`).join('\n'));
  const id = await shown(['vim', '-u', 'NONE', '-c', 'syntax on', '-c', 'set t_Co=256 number', file], kind);
  await eventually(async () => (await rows(id)).some((row) => row.includes('line20')), { what: 'vim' });
  await eventually(async () => same(await onPage(), await rows(id)), { what: 'equal rows' });
  await world.web.client.keys(id, ['1', '0', 'Down', 'd', 'd']);
  await eventually(async () => (await rows(id)).every((row) => !row.includes('line10 ')), { what: 'a deleted line' });
  await eventually(async () => same(await onPage(), await rows(id)), { what: 'equal rows' });
  const columns = `[...document.querySelectorAll('.screen-row')].slice(0, 5).map((row) => {
    const all = document.createRange();
    all.selectNodeContents(row);
    return Math.round(all.getBoundingClientRect().width * 10);
  })`;
  // Wide letters and emoji take exactly their columns, so all these rows end at the same place.
  expect(new Set(await world.read<number[]>(columns)).size).toBe(1);
});

test('the screen has its colours, the history above it, and all output can be read and searched', async () => {
  const print = 'printf "\\033[1;31mred\\033[0m\\n"; seq -f "line %.0f" 3000; printf "\\033[32mgreen\\033[0m"; cat';
  const id = await shown(['sh', '-c', print], 'pty');
  const { page } = world;
  const green = page.locator('.screen .run', { hasText: 'green' });
  await green.waitFor();
  const dark = await world.read<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const style = await world.read<string>("getComputedStyle(document.querySelector('.screen .run')).color");
  expect(style).toBe(dark ? 'rgb(102, 209, 158)' : 'rgb(18, 107, 57)');
  await page.getByRole('button', { name: 'Show what scrolled away' }).click();
  await page.locator('.screen.above .screen-row').first().waitFor();
  const above = `[...document.querySelectorAll('.screen-row')].map((row) => row.textContent.trim())
    .filter((row) => row.startsWith('line '))`;
  const lines = await world.read<string[]>(above);
  const first = Number(lines[0]?.slice(5));
  expect(lines).toEqual(Array.from({ length: 3_001 - first }, (_, i) => `line ${first + i}`));
  expect(lines.length).toBeGreaterThan(150);
  await page.getByRole('button', { name: 'Read all output' }).first().click();
  await page.getByLabel('Find in all output').fill('LINE 77');
  await page.getByLabel('Find in all output').press('Enter');
  await page.locator('.output-line.found', { hasText: 'line 779' }).waitFor();
  await page.getByLabel('Find in all output').fill('red');
  await page.getByLabel('Find in all output').press('Enter');
  await page.locator('.output-line.found', { hasText: 'red' }).waitFor();
  await world.web.client.stop({ session: id });
});

test('who types has control until the tab is closed, and its size goes back', async () => {
  const id = await liveAgent('typed');
  const { page } = world;
  await world.go(`#/session/${id}/screen`);
  await page.getByRole('button', { name: 'Type here' }).click();
  await page.locator('.xterm-box .xterm-rows').waitFor();
  await event(id, 'control.taken', 1);
  expect((await world.web.client.show(id)).session.control).toMatchObject({ how: 'attach' });
  // Another one may watch, but not type; a prompt waits.
  const other = await LiveClient.of(world.web, await world.web.signIn(await world.web.link('--allow', 'read,admin')));
  const { code, message } = await other.error(other.open('session.control', { session: id }));
  expect([code, message]).toEqual(['session_busy', expect.stringContaining('types at this terminal')]);
  const sent = await world.web.client.prompt({ session: id, prompt: 'later' });
  await event(id, 'prompt.waiting', 1);
  const before = (await world.web.client.screen(id)).columns;
  await page.getByRole('button', { name: 'Fit to this screen' }).click();
  await eventually(async () => (await world.web.client.screen(id)).columns !== before, { what: 'another size' });
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.type('typed by hand');
  await eventually(async () => (await rows(id)).join('\n').includes('typed by hand'), { what: 'what was typed' });
  await page.locator('[data-pending="0"]').waitFor({ state: 'attached' });
  await page.keyboard.press('Control+u');
  await page.close();
  await event(id, 'control.returned', 1);
  expect((await world.web.client.screen(id)).columns).toBe(before);
  await world.web.client.reply({ session: id, prompt: sent.prompt, timeoutMs: 30_000 });
  other.close();
  await world.reopen();
});

test('control goes back when the server of the page is killed, and nothing typed meanwhile is kept', async () => {
  const id = await liveAgent('killed');
  const { page } = world;
  await world.go(`#/session/${id}/screen`);
  await page.getByRole('button', { name: 'Type here' }).click();
  await page.locator('.xterm-box .xterm-rows').waitFor();
  await event(id, 'control.taken', 1);
  await world.web.unserve('SIGKILL');
  await event(id, 'control.returned', 1);
  await page.locator('.xterm-box').waitFor({ state: 'detached' });
  await page.keyboard.type('lost keys');
  await world.web.serve();
  await world.isLive();
  await page.getByRole('button', { name: 'Type here' }).waitFor();
  expect((await rows(id)).join('\n')).not.toContain('lost keys');
  expect((await world.web.client.show(id)).session.control).toBeNull();
});

test('only a device with the grant types: admin at an agent, exec at a command', async () => {
  const agent = await liveAgent('granted');
  const command = await shown(['cat'], 'pty');
  const open = async (allow: string, session: string): Promise<string> => {
    const device = await world.web.signIn(await world.web.link('--allow', allow));
    const client = await LiveClient.of(world.web, device);
    const { code } = await client.error(client.open('session.control', { session }));
    client.close();
    return code;
  };
  expect(await open('read', command)).toBe('grant_missing');
  expect(await open('read,prompt,exec', agent)).toBe('grant_missing');
  expect(await open('read,prompt,admin', command)).toBe('grant_missing');
  expect((await world.web.client.show(agent)).session.control).toBeNull();
});

const CORPUS = [
  '\\033]52;c;aGFja2Vk\\007',
  '\\033]0;hacked title\\007',
  '\\033]2;hacked title\\033\\\\',
  '\\033[21t\\033[14t\\033[8;5;20t\\033[3;1;1t',
  '\\033[c\\033[>c\\033[6n\\033[?6n\\033[5n\\033[0x',
  '\\033P$qm\\033\\\\\\033P+q544e\\033\\\\',
  '\\033]10;?\\007\\033]4;1;?\\007',
  '\\033]8;;javascript:alert(1)\\033\\\\link\\033]8;;\\033\\\\',
  '\\033_payload\\033\\\\\\033^payload\\033\\\\',
  '\\302\\233c\\302\\2356n\\007',
] as const;

test.each(['pty', 'tmux'] as const)(
  'S16: no escape in %s reaches the clipboard, the title or the input',
  async (kind) => {
    const { page } = world;
    // What the program reads is on its screen: an answer of a viewer would be there too.
    const once = 'dd bs=1 count=1 2>/dev/null >/dev/null';
    const argv: [string, ...string[]] = [
      ...(['sh', '-c'] as [string, string]),
      `stty raw -echo; printf 'ready\\r\\n'; ${once}; printf '${CORPUS.join('')}\\r\\n'; cat -v`,
    ];
    const typed = async (id: string, key: (name: string) => Promise<unknown>): Promise<string> => {
      const text = async (): Promise<string> => (await rows(id)).join('\n').trim();
      await eventually(async () => (await text()).includes('ready'), { what: 'the program' });
      await key('g');
      await eventually(async () => (await text()).includes('link'), { what: 'the escapes' });
      await key('z');
      await eventually(async () => (await text()).endsWith('z'), { what: 'the last key' });
      return text();
    };
    const alone = await shown(argv, kind);
    await world.go('#/');
    const answered = await typed(alone, (key) => world.web.client.write({ session: alone, keys: [key] }));

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.web.origin });
    await page.bringToFront();
    const id = await shown(argv, kind);
    await page.locator('.screen', { hasText: 'ready' }).waitFor();
    await page.getByRole('button', { name: 'Type here' }).click();
    await page.locator('.xterm-box .xterm-rows', { hasText: 'ready' }).waitFor();
    // The number of sessions that need somebody is in front of it, and may change.
    const ours = /^(?:\(\d+\) )?Outlast$/;
    await page.evaluate("navigator.clipboard.writeText('mine')");
    await page.locator('.xterm-helper-textarea').focus();
    expect(await typed(id, (key) => page.keyboard.type(key))).toBe(answered);
    await page.locator('.xterm-rows', { hasText: 'link' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('mine');
    expect(await page.title()).toMatch(ours);
    expect(await page.locator('.typing a').count()).toBe(0);
    await page.getByRole('button', { name: 'Give back' }).click();
    await page.locator('.screen', { hasText: 'link' }).waitFor();
    expect(await page.locator('.screen a').count()).toBe(0);
    expect(await page.title()).toMatch(ours);
    expect((await rows(id)).join('\n').trim()).toBe(answered);
    expect(world.complaints.filter((each) => each.includes('Content Security Policy'))).toEqual([]);
  },
);

test('a flood is skipped with a line that leads to it, and the last screen is right', async () => {
  const flood = 'yes "0123456789 the quick brown fox" | head -c 30000000; echo; echo finished; cat';
  const id = await shown(['sh', '-c', `read go; ${flood}`], 'pty');
  await world.web.client.keys(id, ['g', 'o', 'Enter']);
  const { page } = world;
  await page.locator('.screen', { hasText: 'finished' }).waitFor({ timeout: 60_000 });
  expect(await page.locator('.screen-line.missed').textContent()).toMatch(/^\d+ MB skipped/);
  await eventually(async () => same(await onPage(), await rows(id)), { what: 'the last screen' });
  await page.getByRole('button', { name: 'Read them' }).click();
  await page.locator('.output-line', { hasText: 'the quick brown fox' }).first().waitFor({ timeout: 60_000 });
});

/** Starts a command on a terminal, and opens its screen on the page. */
async function shown(argv: [string, ...string[]], terminal: 'pty' | 'tmux'): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const { id } = await world.web.client.start({ argv, terminal, cwd: world.folder, env });
  await world.go(`#/session/${id}/screen`);
  return id;
}

async function liveAgent(name: string): Promise<string> {
  const given = { agent: 'scripted', drive: 'live', terminal: 'tmux', name, cwd: world.folder, trust: true } as const;
  const { id } = await world.web.client.start(given);
  await world.is(id, 'idle');
  return id;
}

/** The rows that `outlast screen` shows. */
async function rows(id: string): Promise<string[]> {
  const { stdout } = await world.web.cli(['screen', id, '--json']);
  return (JSON.parse(stdout) as { rows: string[] }).rows;
}

/** The rows on the page; characters that are shown as codes are not in these. */
function onPage(): Promise<string[]> {
  const all = "[...document.querySelectorAll('.screen:not(.above) .screen-row')].map((row) => row.textContent)";
  return world.read(all);
}

function same(page: readonly string[], cli: readonly string[]): boolean {
  const plain = (all: readonly string[]): string => all.map((row) => row.trimEnd()).join('\n');
  return plain(page) === plain(cli);
}

async function event(session: string, type: string, count: number): Promise<void> {
  const seen = async (): Promise<boolean> => {
    let found = 0;
    for await (const line of world.web.client.events({ session, types: [type] })) found += line.event === type ? 1 : 0;
    return found >= count;
  };
  await eventually(seen, { what: `${type} of ${session}` });
}
