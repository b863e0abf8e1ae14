import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visibleLine, visibleParts } from '../../src/page/words/visible.ts';
import { isCampaign, some, times } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { Away, DANGERS } from './away.ts';
import { RealBrowser } from './chromium.ts';
import { ORIGIN, serveWith } from './many-page.ts';
import { type Payload, payloadsFor } from './payloads.ts';

// The real page in a real browser. Every text that its connection gives is hostile, and no security policy of the
// server helps: what the page draws must be harmless by itself.

let browser: RealBrowser;
let page: Page;
let away: Away;
let payloads: readonly Payload[];

beforeAll(async () => {
  [browser, away] = await Promise.all([RealBrowser.start(), Away.start()]);
  payloads = payloadsFor(away.origin);
  const opened = await browser.page();
  page = opened.page;
  await away.watch(page, ORIGIN);
  await serveWith(page, 'hostile-live.ts');
  const given = { payloads: payloads.map(({ text }) => text), isWhole: isCampaign };
  await page.addInitScript(`Object.assign(globalThis, ${JSON.stringify(given)})`);
  // All rows of the list are drawn.
  await page.setViewportSize({ width: 1_440, height: 9_000 });
  await page.goto(`${ORIGIN}/`);
  await page.locator('.row').first().waitFor();
});

afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await away[Symbol.asyncDispose]();
});

const read = <T>(expression: string): Promise<T> => page.evaluate(expression) as Promise<T>;

const until = (expression: string): Promise<boolean> =>
  eventually(() => read<boolean>(expression), { what: expression });

async function isHarmless(where: string): Promise<void> {
  expect([where, await read(DANGERS)]).toEqual([where, []]);
  expect([where, away.asked]).toEqual([where, []]);
}

const texts = (selector: string): Promise<string[]> =>
  read(`[...document.querySelectorAll(${JSON.stringify(selector)})].map(({ textContent }) => textContent)`);

/** A text as the page shows it on one line. */
const line = (text: string): string => visibleLine(text).trim();

test('S15: there are 60 payloads, each with its own name', () => {
  expect(payloads).toHaveLength(60);
  expect(new Set(payloads.map(({ text }) => text)).size).toBe(60);
});

test('S15: in the list, every field of a session is only text', async () => {
  const names = await texts('.row .row-name');
  expect(payloads.filter(({ text }) => !names.some((name) => name.trim() === line(text)))).toEqual([]);
  for (const word of ['Folder', 'Tree']) {
    await page.getByRole('button', { name: word, exact: true }).click();
    await isHarmless(`the list by ${word}`);
  }
  await page.keyboard.press('Control+k');
  await page.locator('.palette').waitFor();
  await isHarmless('the palette');
  await page.keyboard.press('Escape');
});

test('S15: in a conversation, everything that is said, done or failed is only text', async () => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  await read("location.hash = '#/session/01m7aa00000000000000'");
  await until(`document.querySelectorAll('.entry.reply').length > ${payloads.length}`);
  const prompts = (await texts('.entry.prompt .long p')).map((text) => text.trim());
  const shown = (text: string): string =>
    visibleParts(text.trim())
      .map((part) => part.text)
      .join('')
      .trim();
  expect(payloads.filter(({ text }) => !prompts.includes(shown(text)))).toEqual([]);
  await read("document.querySelectorAll('.calls-head').forEach((each) => each.click())");
  await until(`document.querySelectorAll('.call').length >= ${payloads.length * times(1, 8)}`);
  await read("document.querySelectorAll('details').forEach((each) => { each.open = true })");
  await isHarmless('the conversation');
  // A link whose text does not say where it leads says so beside it, without what only looks like a host.
  const hosts = await texts('.reply .host');
  expect(hosts.map((text) => text.trim())).toContain('(evil.example)');
  await page.locator('.composer textarea').fill('x');
  await page.keyboard.press('Enter');
  await page.locator('.toast.shown').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('dialog').waitFor();
  await isHarmless('an error and a dialog');
  await page.keyboard.press('Escape');
  // What is in attributes, with letters that hide.
  await read("location.hash = '#/session/01m7aa00000000000059'");
  await page.locator('.session-head .meta-path').waitFor();
  await isHarmless('the head of a session');
});

test('S15: on a screen and in the last lines of output, every text is only text', async () => {
  await read("location.hash = '#/session/01m7aa00000000000000/screen'");
  await page
    .locator('.screen-row')
    .nth(payloads.length - 1)
    .waitFor();
  await isHarmless('the screen');
  expect(await page.locator('.screen a').count()).toBe(0);
  await read("location.hash = '#/session/01m7ee00000000000001/screen'");
  await page.locator('.screen.tail').waitFor();
  await isHarmless('the last lines');
});

test('S15: in the inbox, every part of a question is only text', async () => {
  await read("location.hash = '#/inbox'");
  for (const [i, { name, text }] of some([...payloads.entries()], 6)) {
    await read(`location.hash = '#/inbox/q${i}'`);
    const head = line(text).replaceAll(/\s+/g, ' ').slice(0, 40);
    await page.locator('.question h1', { hasText: head }).first().waitFor();
    await isHarmless(`the question ${name}`);
  }
});
