import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../..');

/** Where a page with another connection is; nobody listens there. */
export const ORIGIN = 'http://127.0.0.1:9';

/** Answers a browser with the real page, whose connection has 1,000 sessions and 2,000 turns. */
export function serveMany(page: Page): Promise<void> {
  return serveWith(page, 'many-live.ts');
}

/** Answers a browser with the real page, which has a connection of this folder instead of its own. */
export async function serveWith(page: Page, connection: string): Promise<void> {
  const files = await bundled(connection);
  await page.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const body = files.get(pathname);
    const contentType = pathname === '/' ? 'text/html' : pathname.endsWith('.css') ? 'text/css' : 'text/javascript';
    return body === undefined ? route.fulfill({ status: 404 }) : route.fulfill({ body, contentType });
  });
}

/** The page with another connection, by paths. */
async function bundled(connection: string): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: { main: 'src/page/main.tsx', page: 'src/page/page.css', later: 'src/page/later.css' },
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    outdir: '/',
    platform: 'browser',
    target: 'es2023',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [
      {
        name: 'connection',
        setup({ onResolve }) {
          onResolve({ filter: /live\/live\.ts$/ }, () => ({ path: join(import.meta.dirname, connection) }));
        },
      },
    ],
  });
  const html = readFileSync(join(ROOT, 'src/page/index.html'), 'utf8');
  const filled = html
    .replace('{{page.css}}', '/page.css')
    .replace('{{main.tsx}}', '/main.js')
    .replace('{{later.css}}', '/later.css');
  return new Map([['/', filled], ...outputFiles.map(({ path, text }) => [path, text] as const)]);
}
