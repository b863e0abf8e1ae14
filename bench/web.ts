// The page in a real browser: 1,000 sessions in the list, 2,000 turns with 10,000 tool calls in a conversation.
import type { Page } from 'playwright-core';
import { RealBrowser } from '../test/web/chromium.ts';
import { ORIGIN, serveMany } from '../test/web/many-page.ts';
import { ms, percentile, report, share } from './measure.ts';

const TIMES = 10;

/** Marks the moment in which something is on the screen. */
const WATCHER = `globalThis.seen = (selector, name) => {
  const look = () => (document.querySelector(selector) ? performance.mark(name) : requestAnimationFrame(look));
  look();
};
seen('.row', 'rows');`;

/** How soon the page shows many things. */
export async function web(): Promise<void> {
  await using browser = await RealBrowser.start();
  const [rows, drawn, opened]: number[][] = [[], [], []];
  for (let i = 0; i < share(TIMES); i += 1) {
    const { page, context } = await browser.page();
    await serveMany(page);
    await page.addInitScript(WATCHER);
    await page.goto(ORIGIN);
    rows?.push((await markOf(page, 'rows')) - (await markOf(page, 'asked')));
    drawn?.push(await page.locator('.row').count());
    opened?.push(await opening(page));
    await context.close();
  }
  const [first, most, open] = [percentile(rows ?? [], 95), Math.max(...(drawn ?? [])), percentile(opened ?? [], 95)];
  report('the page: first rows of 1,000 sessions', `p95 ${ms(first)}`, '<= 150 ms', first <= 150);
  report('rows of them in the document', String(most), '<= 60', most <= 60);
  report('the page: a conversation of 2,000 turns opens', `p95 ${ms(open)}`, '<= 500 ms', open <= 500);
}

/** From the click to the end of the conversation on the screen. */
async function opening(page: Page): Promise<number> {
  await page.evaluate(`performance.mark('clicked');
    location.hash = '#/session/01m70000000000000777';
    seen('.entry', 'entries');`);
  return (await markOf(page, 'entries')) - (await markOf(page, 'clicked'));
}

/** When this was marked. */
async function markOf(page: Page, name: string): Promise<number> {
  const read = `performance.getEntriesByName('${name}')[0]?.startTime ?? null`;
  for (;;) {
    const found = (await page.evaluate(read)) as number | null;
    if (found !== null) return found;
  }
}
