import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import type { WebWorld } from './web-world.ts';

/** Builds the page without a user interface; returns its folder. */
export async function buildBarePage(world: WebWorld): Promise<string> {
  const from = join(import.meta.dirname, 'bare-page');
  const folder = join(world.state, 'bare-page');
  await build({
    entryPoints: [join(from, 'main.js')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    outfile: join(folder, 'assets/main.js'),
  });
  copyFileSync(join(from, 'index.html'), join(folder, 'index.html'));
  return folder;
}

/** Opens a link with the bare page, and waits until it is live. */
export async function openBare(page: Page, link: string): Promise<void> {
  // Sockets of the page can be cut by a test.
  await page.addInitScript(`{
    const Real = WebSocket;
    globalThis.sockets = [];
    globalThis.WebSocket = class extends Real {
      constructor(url) { super(url); globalThis.sockets.push(this); }
    };
  }`);
  await page.goto(link);
  await isState(page, 'live');
}

/** Waits for a state of the connection. */
export async function isState(page: Page, state: string): Promise<void> {
  const now = (): Promise<unknown> => page.evaluate('globalThis.live?.state.value.is');
  await eventually(async () => (await now()) === state, { what: `the state ${state}` });
}
