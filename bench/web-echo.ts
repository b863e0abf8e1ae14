// How soon the page shows what happens: an event of the journal, and a key that is typed at a terminal.
import type { Page } from 'playwright-core';
import { eventually } from '../test/eventually.ts';
import { PageWorld } from '../test/web/page-world.ts';
import { ms, percentile, report, share } from './measure.ts';

const PROMPTS = 20;
const KEYS = 100;

/** Remembers when each event was first on the screen, as the wall clock says. */
const PAINTED = `globalThis.painted = {};
{
  const look = () => {
    for (const row of document.querySelectorAll('[data-seq]')) painted[row.dataset.seq] ??= Date.now();
    requestAnimationFrame(look);
  };
  look();
}`;

/** From the time of an event in the journal until it is on the screen. */
export async function painted(): Promise<void> {
  await using world = await PageWorld.open();
  const session = await world.start('watched', [{ text: 'hello' }]);
  await world.is(session, 'idle');
  await world.go(`#/session/${session}/events`);
  await world.page.locator('[data-seq]').first().waitFor();
  await world.read(PAINTED);
  const before = new Set(Object.keys(await world.read<Record<string, number>>('painted')));
  for (let i = 0; i < share(PROMPTS); i += 1) await world.web.client.converse(session, `prompt ${i}`, {});
  const delays: number[] = [];
  const read = async (): Promise<boolean> => {
    const seen = await world.read<Record<string, number>>('painted');
    delays.length = 0;
    for await (const { seq, ts } of world.web.client.events({ session })) {
      const atMs = seen[String(seq)];
      if (atMs !== undefined && !before.has(String(seq))) delays.push(atMs - Date.parse(ts));
    }
    return delays.length >= share(PROMPTS);
  };
  await eventually(read, { what: 'events on the screen' });
  const p95 = percentile(delays, 95);
  report('the page: event in the journal -> on the screen', `p95 ${ms(p95)}`, '<= 150 ms', p95 <= 150);
}

/** Measures from each key that is pressed until the terminal shows something else. */
const ECHOES = `globalThis.echoes = [];
addEventListener('keydown', () => {
  const fromMs = performance.now();
  const text = () => document.querySelector('.xterm-rows').textContent;
  const before = text();
  const look = () => (text() === before ? requestAnimationFrame(look) : echoes.push(performance.now() - fromMs));
  requestAnimationFrame(look);
}, true);`;

/** From a key that is typed at a terminal of the page until its echo is on the screen. */
export async function echoes(): Promise<void> {
  await using world = await PageWorld.open();
  await terminalOf(world, ['cat']);
  await world.read(ECHOES);
  const count = share(KEYS);
  for (let i = 1; i <= count; i += 1) {
    await world.page.keyboard.press(i % 60 === 0 ? 'Enter' : 'x');
    await eventually(() => world.read<boolean>(`echoes.length >= ${i}`), { what: `echo ${i}` });
  }
  const p95 = percentile(await world.read<number[]>('echoes'), 95);
  report('the page: key in a terminal -> its echo', `p95 ${ms(p95)}`, '<= 50 ms', p95 <= 50);
}

/** Starts a command on a terminal, and types there; the session. */
export async function terminalOf(world: PageWorld, argv: [string, ...string[]]): Promise<string> {
  const { page } = world;
  const env = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const { id } = await world.web.client.start({ argv, terminal: 'pty', cwd: world.folder, env });
  await world.go(`#/session/${id}/screen`);
  await typeAt(page);
  return id;
}

/** Takes control of the terminal that is shown. */
async function typeAt(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Type here' }).click();
  await page.locator('.xterm-box .xterm-rows').waitFor();
  await page.locator('.xterm-helper-textarea').focus();
}
