import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { RealBrowser } from './chromium.ts';
import { ORIGIN, serveMany } from './many-page.ts';

// The real page in a real browser, with a connection that has 1,000 sessions and 2,000 turns.

let browser: RealBrowser;
let page: Page;

beforeAll(async () => {
  browser = await RealBrowser.start();
  ({ page } = await browser.page());
  await serveMany(page);
});

afterAll(() => browser[Symbol.asyncDispose]());

const read = <T>(expression: string): Promise<T> => page.evaluate(expression) as Promise<T>;

test('of 1,000 sessions only those in view are drawn, also after scrolling', async () => {
  await page.setViewportSize({ width: 1_440, height: 2_160 });
  await page.goto(`${ORIGIN}/`);
  await page.getByText('session-3', { exact: true }).waitFor();
  const rows = (): Promise<number> => page.locator('.row').count();
  expect(await rows()).toBeLessThanOrEqual(60);
  await read("document.querySelector('.virtual').scrollTo(0, 1e6)");
  await page.getByText('session-1', { exact: true }).waitFor();
  expect(await rows()).toBeLessThanOrEqual(60);
  expect(await page.locator('.fleet-head .count').innerText()).toBe('1,000');
  // The list is followed once, whatever it makes the page draw.
  expect(await read("performance.getEntriesByName('asked').length")).toBe(1);
});

test('a filter finds one of 1,000', async () => {
  await page.locator('.search input').fill('session-777');
  await eventually(async () => (await page.locator('.row').count()) === 1, { what: 'one row' });
  await page.locator('.search input').fill('');
});

test('of 2,000 turns the last are shown first, and older ones do not move what is read', async () => {
  await read("location.hash = '#/session/01m70000000000000777'");
  await page.getByText('prompt 2000', { exact: true }).waitFor();
  expect(await page.locator('.entry').count()).toBeLessThan(120);
  expect(await page.locator('.calls').count()).toBeGreaterThan(10);
  await read("document.querySelector('.talk').scrollTo(0, 0)");
  const first = (await page.locator('.entry.prompt .long').first().innerText()).trim();
  const place = `(() => {
    const each = [...document.querySelectorAll('.entry.prompt')][1];
    return [each.textContent, Math.round(each.getBoundingClientRect().top)];
  })()`;
  const [text, top] = await read<[string, number]>(place);
  await page.getByRole('button', { name: 'Show earlier turns' }).click();
  await eventually(async () => (await page.locator('.entry.prompt .long').first().innerText()).trim() !== first);
  const found = `(() => {
    const all = [...document.querySelectorAll('.entry.prompt')];
    const each = all.find((one) => one.textContent === ${JSON.stringify(text)});
    return Math.round(each.getBoundingClientRect().top);
  })()`;
  await eventually(async () => Math.abs((await read<number>(found)) - top) <= 60, { what: `${text} at ${top}` });
});

test('of 10,000 events only those in view are drawn, and what is read stays where it is', async () => {
  await page.goto(`${ORIGIN}/#/session/01m70000000000000777/events`);
  await page.locator('.event-row').first().waitFor();
  const drawnRows = (): Promise<number> => page.locator('.event-row').count();
  expect(await drawnRows()).toBeLessThan(120);
  // All of them, in steps.
  const earlier = page.getByRole('button', { name: 'Show earlier events' });
  for (const count of ['8,000', '10,000']) {
    await earlier.click();
    await page.locator('.chip', { hasText: `All ${count}` }).waitFor();
  }
  expect(await earlier.count()).toBe(0);
  expect(await drawnRows()).toBeLessThan(120);
  await read("document.querySelector('.events .virtual').scrollTo(0, 2000)");
  const place = `[...document.querySelectorAll('.event-row')]
    .map((row) => [row.textContent, Math.round(row.getBoundingClientRect().top)])
    .find(([, top]) => top > 400)`;
  await eventually(async () => (await read<number>("document.querySelector('.events .virtual').scrollTop")) === 2_000);
  // What is in view is drawn after that.
  await read('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(0))))');
  const before = await read<[string, number]>(place);
  await read("dispatchEvent(new Event('more-events'))");
  await page.locator('.events .fresh', { hasText: '1 new' }).waitFor();
  expect(await read(place)).toEqual(before);
  // Moving through them stays fast: a key is answered within a few frames.
  await page.keyboard.press('j');
  await page.locator('.event-row.at').waitFor();
  expect(await drawnRows()).toBeLessThan(120);
});
