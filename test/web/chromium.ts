import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const PROGRAM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
/** It talks to nobody but us. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real browser with an empty profile. */
export class RealBrowser implements AsyncDisposable {
  readonly browser: Browser;
  readonly #folder: string;

  private constructor(browser: Browser, folder: string) {
    this.browser = browser;
    this.#folder = folder;
  }

  static async start(env: NodeJS.ProcessEnv = process.env, flags: readonly string[] = []): Promise<RealBrowser> {
    if (PROGRAM === undefined) throw new Error('this test needs chromium');
    const folder = mkdtempSync(join(tmpdir(), 'outlast-chromium-'));
    const variables = Object.fromEntries(Object.entries({ ...env, HOME: folder }).filter(([, value]) => value));
    const browser = await chromium.launch({
      executablePath: PROGRAM,
      args: [...FLAGS, ...flags],
      env: variables as Record<string, string>,
    });
    return new RealBrowser(browser, folder);
  }

  /** A page with nothing stored, and what it complains about. */
  async page(): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
    const context = await this.browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    return { page, context, complaints };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
