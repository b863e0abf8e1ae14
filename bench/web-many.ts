// The page with many things: 1,000 sessions in the list, 2,000 turns with 10,000 tool calls in a conversation.
import type { Page } from 'playwright-core';
import { RealBrowser } from '../test/web/chromium.ts';
import { ORIGIN, serveMany } from '../test/web/many-page.ts';
import { mb, ms, percentile, report, share } from './measure.ts';
import { VITALS, vitalsOf } from './web-watch.ts';

const TIMES = 10;
const SCROLLS = 40;

/** Marks the moment in which something is on the screen. */
const WATCHER = `globalThis.seen = (selector, name) => {
  const look = () => (document.querySelector(selector) ? performance.mark(name) : requestAnimationFrame(look));
  look();
};
seen('.row', 'rows');`;

/** How soon the page shows many things, and how it moves with them. */
export async function many(): Promise<void> {
  await using browser = await RealBrowser.start();
  const [rows, drawn, tasks, opened, typed, heaps]: number[][] = [[], [], [], [], [], []];
  for (let i = 0; i < share(TIMES); i += 1) {
    const { page, context } = await browser.page();
    await serveMany(page);
    await page.addInitScript(WATCHER);
    await page.addInitScript(VITALS);
    await page.goto(ORIGIN);
    rows?.push((await markOf(page, 'rows')) - (await markOf(page, 'asked')));
    const { most, task } = await scrolling(page);
    drawn?.push(most);
    tasks?.push(task);
    opened?.push(await opening(page));
    typed?.push(await typing(page));
    heaps?.push(await heapOf(page));
    await context.close();
  }
  const [first, open, input] = [rows, opened, typed].map((each) => percentile(each ?? [], 95)) as [
    number,
    number,
    number,
  ];
  const [most, task, heap] = [drawn, tasks, heaps].map((each) => Math.max(...(each ?? []))) as [number, number, number];
  report('the page: first rows of 1,000 sessions', `p95 ${ms(first)}`, '<= 150 ms', first <= 150);
  report('rows of them in the document', String(most), '<= 60', most <= 60);
  report('longest task while they are scrolled', task === 0 ? '<= 50 ms' : ms(task), '<= 50 ms', task <= 50);
  report('the page: a conversation of 2,000 turns opens', `p95 ${ms(open)}`, '<= 500 ms', open <= 500);
  report('a key in its box, to the next frame', `p95 ${ms(input)}`, '<= 100 ms', input <= 100);
  report('memory of the page with it', mb(heap), '<= 150 MB', heap <= 150 * 1024 ** 2);
}

/** Scrolls through the list; what came before is not counted. */
async function scrolling(page: Page): Promise<{ most: number; task: number }> {
  await vitalsOf(page);
  await page.evaluate('vitals.task = 0');
  await page.locator('.row').first().hover();
  let most = 0;
  for (let i = 0; i < SCROLLS; i += 1) {
    await page.mouse.wheel(0, i < SCROLLS / 2 ? 2_000 : -2_000);
    most = Math.max(most, await page.locator('.row').count());
  }
  return { most, task: (await vitalsOf(page)).task };
}

/** From the click to the end of the conversation on the screen. */
async function opening(page: Page): Promise<number> {
  await page.evaluate(`performance.mark('clicked');
    location.hash = '#/session/01m70000000000000777';
    seen('.entry', 'entries');`);
  return (await markOf(page, 'entries')) - (await markOf(page, 'clicked'));
}

/** The slowest key in the box under the conversation. */
async function typing(page: Page): Promise<number> {
  await page.locator('.composer textarea').click();
  await vitalsOf(page);
  await page.evaluate('vitals.inp = 0');
  await page.keyboard.type('a few words for the agent', { delay: 40 });
  return (await vitalsOf(page)).inp;
}

/** What is in use after the garbage is collected. */
async function heapOf(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize;
}

/** When this was marked. */
async function markOf(page: Page, name: string): Promise<number> {
  const read = `performance.getEntriesByName('${name}')[0]?.startTime ?? null`;
  for (;;) {
    const found = (await page.evaluate(read)) as number | null;
    if (found !== null) return found;
  }
}
