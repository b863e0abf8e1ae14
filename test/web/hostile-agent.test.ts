import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { Away, DANGERS } from './away.ts';
import { PageWorld } from './page-world.ts';
import { payloadsFor } from './payloads.ts';

// An agent and a command say what is hostile, all the way from the program through the daemon to the page.

let world: PageWorld;
let away: Away;
let texts: readonly string[];

beforeAll(async () => {
  [world, away] = await Promise.all([PageWorld.open(), Away.start()]);
  texts = payloadsFor(away.origin).map(({ text }) => text);
  await away.watch(world.page, world.web.origin);
  await world.read(`{ globalThis.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective)); }`);
});

afterAll(async () => {
  expect(world.complaints).toEqual([]);
  await world[Symbol.asyncDispose]();
  await away[Symbol.asyncDispose]();
});

async function isHarmless(): Promise<void> {
  expect(await world.read(DANGERS)).toEqual([]);
  // The policy of the server was not needed.
  expect(await world.read('globalThis.violations')).toEqual([]);
  expect(away.asked).toEqual([]);
}

test('S15: prompts, replies, calls and their errors run nothing and load nothing', async () => {
  const { page } = world;
  // Each is said, is the path of a file that is not there, and so is in the error.
  const steps = Array.from({ length: 6 }, (_, i) => texts.slice(i * 10, i * 10 + 10)).map((ten) => ({
    say: ten.join('\n\n'),
    tools: ten.map((text) => ({ tool: 'Read', input: { file_path: join(world.folder, text) } })),
  }));
  const script = `SCRIPT${JSON.stringify({ steps: [...steps, { text: 'the end' }] })}SCRIPT`;
  const id = await world.prompted('evil', `${texts.join('\n\n')}\n${script}`);
  await world.is(id, 'idle');
  await world.go(`#/session/${id}`);
  await page.locator('.reply', { hasText: 'the end' }).waitFor();
  await eventually(async () => (await page.locator('.calls').count()) === steps.length, { what: 'all calls' });
  await world.read("document.querySelectorAll('.calls-head').forEach((each) => each.click())");
  await eventually(async () => (await page.locator('.call .result').count()) === texts.length, { what: 'all errors' });
  await isHarmless();
  await world.go('#/');
  await page.locator('.row').first().waitFor();
  await isHarmless();
});

test('S15: a folder and a question run nothing and load nothing', async () => {
  const { page } = world;
  const folder = join(world.folder, '<img src=x onerror=globalThis.owned=1>');
  mkdirSync(folder);
  const input = { command: texts.join('\n'), description: texts[0] };
  const prompt = `SCRIPT${JSON.stringify({ steps: [{ tool: 'Bash', input }, { text: 'x' }] })}SCRIPT`;
  const { id } = await world.web.client.start({
    ...{ agent: 'scripted', name: 'asks', prompt, cwd: folder, gate: { mode: 'gate' } },
  });
  const asked = await world.asked(id);
  await world.go(`#/inbox/${asked.id}`);
  await page.locator('.answers.armed').waitFor();
  expect(await page.locator('.question').innerText()).toContain('<img src=x onerror=globalThis.owned=1>');
  await isHarmless();
  await world.go(`#/session/${id}`);
  await page.locator('.asking').waitFor();
  await isHarmless();
});

test.each(['pty', 'pipe'] as const)(
  'S15: what a command prints to a %s runs nothing and loads nothing',
  async (terminal) => {
    const { page } = world;
    const argv = ['sh', '-c', 'printf "%s\\n" "$@"; printf "the end\\n"; exec sleep 1000', 'sh', ...texts];
    const { id } = await world.web.client.start({
      argv,
      terminal,
      cwd: world.folder,
      ...(terminal === 'pty' ? { rows: 200 } : {}),
    });
    await world.go(`#/session/${id}/screen`);
    await page.locator('.screen', { hasText: 'the end' }).waitFor();
    await isHarmless();
    expect(await page.title()).toMatch(/Outlast$/);
    expect(await page.locator('.screen a').count()).toBe(0);
  },
);
