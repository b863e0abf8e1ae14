import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { scriptedProof } from '../../test/e2e/gated.ts';
import { RealBrowser } from '../../test/web/chromium.ts';
import { WebWorld } from '../../test/web/web-world.ts';
import { type Morning, play, prepare } from './page-world.ts';
import { answerUsage, playBoot, playTree } from './place-scenes.ts';

/** What is on a picture: where the page is, and what is done there first. */
interface Place {
  /** The session whose page it is; none: the place is a fragment. */
  readonly session?: string;
  readonly fragment?: string;
  readonly shows: string;
  /** On what it is shown; missing: on both. */
  readonly kinds?: readonly ('desk' | 'phone')[];
  /** What is done before the page is there. */
  before?(page: Page): Promise<void>;
  act?(page: Page): Promise<void>;
}

/** Every picture of the page, by the beginning of its file name. */
export const PLACES: Readonly<Record<string, Place>> = {
  'page-fleet': { fragment: '#/', shows: '[aria-expanded=false]' },
  'page-conversation': {
    session: 'checkout-rounding',
    shows: '.reply table',
    act: (page) => page.locator('.calls-head').last().click(),
  },
  'page-queue': { session: 'old-prices', shows: '.calls-head' },
  'page-inbox': { fragment: '#/inbox/PAYMENTS', shows: '.answers.armed' },
  'page-picture': {
    session: 'readme',
    shows: '.reply',
    act: async (page) => {
      await page.locator('.composer input[type=file]').setInputFiles(FILES);
      await page.locator('.attached[data-state=there]').nth(1).waitFor();
      await page.locator('.composer textarea').fill('The second box is too wide on a phone, see the picture.');
      await page.locator('.attached img').evaluate('element => element.decode()');
    },
  },
  'page-search': { fragment: '#/search/settings', shows: '.found' },
  'page-usage': { fragment: '#/usage/30', shows: '.chart', before: answerUsage },
  'page-boot': { fragment: '#/boot', shows: '.to-resume' },
  'page-tree': { fragment: '#/tree', shows: '.node' },
  'page-new': { fragment: '#/new', shows: '#new-prompt' },
  'page-events': {
    session: 'login-test',
    fragment: '/events',
    shows: '.event-row.bad',
    act: async (page) => {
      await page.keyboard.press('e');
      await page.keyboard.press('e');
      await page.locator('.evidence [data-part=remedy]').waitFor();
    },
  },
  'page-changes': {
    session: 'checkout-rounding',
    fragment: '/changes',
    shows: '.file-lines .added',
    act: async (page) => {
      await page.locator('.added button.number').first().click();
      await page.locator('.comment-box textarea').fill('Name the unit: totalCents, and return that.');
      await page.locator('.comment-box .primary').click();
      await page.locator('.comments-bar').waitFor();
    },
  },
  'page-report': { session: 'login-test', fragment: '/report', shows: '.sheet h3' },
  'page-screen': { session: 'dev', fragment: '/screen', shows: '.screen' },
  'page-settings': { fragment: '#/settings', shows: '.device' },
  'page-more': {
    fragment: '#/',
    shows: '[aria-expanded=false]',
    kinds: ['phone'],
    act: async (page) => {
      await page.locator('.rail').getByRole('button', { name: 'More' }).click();
      await page.locator('.more-sheet').waitFor();
    },
  },
};

const VIEWS = [
  { kind: 'desk', viewport: { width: 1_440, height: 900 }, deviceScaleFactor: 1, isMobile: false, hasTouch: false },
  { kind: 'phone', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
] as const;

/** How browsers introduce themselves; one without a window says that it has none. */
const AGENTS = {
  desk: 'Mozilla/5.0 (X11; Linux x64) Chrome/150.0.0.0 Safari/537.36',
  phone: 'Mozilla/5.0 (Linux; Android 16) Chrome/150.0.0.0 Mobile Safari/537.36',
} as const;

/** What is added to a prompt: a picture of a page, and a log. */
const FILES = [
  {
    name: 'checkout.webp',
    mimeType: 'image/webp',
    buffer: readFileSync(join(import.meta.dirname, '../../docs/screens/page-fleet-desk-light.webp')),
  },
  { name: 'build.log', mimeType: 'text/plain', buffer: Buffer.from('checkout.css: 2 warnings\n') },
];

/** Text is sharp enough with it, and a picture stays below 80 kB. */
const QUALITY = 70;

/** The font of a desk, where the machine that makes the pictures has one. */
const FONTS = [
  '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>',
  '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
  ...['system-ui', 'sans-serif', 'sans'].map(
    (name) =>
      `<match target="pattern"><test name="family"><string>${name}</string></test>` +
      '<edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit></match>',
  ),
  '</fontconfig>',
].join('\n');

/** Sessions, the server of the page, and a browser that is signed in. */
export class PageStage implements AsyncDisposable {
  readonly #world: WebWorld;
  readonly #browser: RealBrowser;
  readonly #morning: Morning;

  private constructor(world: WebWorld, browser: RealBrowser, morning: Morning) {
    this.#world = world;
    this.#browser = browser;
    this.#morning = morning;
  }

  static async open(): Promise<PageStage> {
    const config = { boot: { agents: ['scripted'] } };
    const world = new WebWorld({ state: mkdtempSync(join(tmpdir(), 'ana')), config });
    writeFileSync(join(world.state, 'gates.json'), scriptedProof());
    const fonts = join(world.state, 'fonts.conf');
    writeFileSync(fonts, FONTS);
    await world.start();
    await world.serve();
    const morning = prepare(world);
    await playTree(morning);
    await playBoot(morning);
    await play(morning);
    return new PageStage(world, await RealBrowser.start({ ...process.env, FONTCONFIG_FILE: fonts }), morning);
  }

  /** The pictures of one place, by their file names. */
  async pictures(name: string): Promise<[string, Buffer][]> {
    const pictures: [string, Buffer][] = [];
    const { kinds = ['desk', 'phone'] } = PLACES[name] as Place;
    for (const { kind, ...view } of VIEWS) {
      if (!kinds.includes(kind)) continue;
      for (const theme of ['light', 'dark'] as const) {
        const look = { colorScheme: theme, reducedMotion: 'reduce', locale: 'en-GB', userAgent: AGENTS[kind] } as const;
        const context = await this.#browser.browser.newContext({ ...view, ...look });
        pictures.push([`${name}-${kind}-${theme}.webp`, await this.#picture(context, name)]);
        await context.close();
      }
    }
    return pictures;
  }

  async #picture(context: BrowserContext, name: string): Promise<Buffer> {
    const place = PLACES[name] as Place;
    const page = await context.newPage();
    await place.before?.(page);
    await page.goto(await this.#world.link());
    await page.locator('html[data-connection=live]').waitFor();
    await page.evaluate(`location.replace(${JSON.stringify(await this.#fragment(place))})`);
    await page.locator(place.shows).first().waitFor();
    await place.act?.(page);
    await page.evaluate(likeAnyOther(this.#morning.home));
    const session = await context.newCDPSession(page);
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    const clip = { x: 0, y: 0, width, height, scale: width < 640 ? 2 : 1 };
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip });
    return Buffer.from(data, 'base64');
  }

  async #fragment({ session, fragment = '' }: Place): Promise<string> {
    if (session !== undefined) return `#/session/${(await this.#world.client.show(session)).session.id}${fragment}`;
    if (!fragment.includes('PAYMENTS')) return fragment;
    const [asked] = await this.#world.client.approvals.list({ session: 'payments' });
    return fragment.replace('PAYMENTS', asked?.id ?? '');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser[Symbol.asyncDispose]();
    await this.#world[Symbol.asyncDispose]();
  }
}

/** Shows the home of the picture as any other: it is in a temporary folder, which a result may show the end of. */
function likeAnyOther(home: string): string {
  const [state, own] = home.split('/').slice(-2);
  const any = `[\\w./-]*${state}/(${own}|(?=config.json))`;
  return `(() => {
    const home = new RegExp(${JSON.stringify(any)}, 'g');
    const shown = (_, own) => (own === '' ? '~/.outlast/' : '~');
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      if (home.test(node.data)) node.data = node.data.replace(home, shown);
    for (const input of document.querySelectorAll('input')) if (home.test(input.value)) input.value = input.value.replace(home, shown);
  })()`;
}
