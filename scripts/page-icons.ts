// Makes the icons of the installed page in src/page/files from the mark in src/page/ui/mark.tsx, in a real browser.
// `node scripts/bootstrap.mjs scripts/page-icons.ts`
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RealBrowser } from '../test/web/chromium.ts';

const root = join(import.meta.dirname, '..');
const source = readFileSync(join(root, 'src/page/ui/mark.tsx'), 'utf8');
const [path] = /<path [^>]+>/.exec(source) ?? [];
const [circle] = /<circle [^>]+>/.exec(source) ?? [];
if (path === undefined || circle === undefined) throw new Error('the mark has no path or no circle');

/** Systems cut the corners of a maskable icon: the mark stays in the middle of it. */
const ICONS = [
  { file: 'icon-192.png', px: 192, share: 0.64, isRound: true },
  { file: 'icon-512.png', px: 512, share: 0.64, isRound: true },
  { file: 'icon-maskable-512.png', px: 512, share: 0.52, isRound: false },
  { file: 'apple-touch-icon.png', px: 180, share: 0.6, isRound: false },
] as const;

await using browser = await RealBrowser.start();
const { page } = await browser.page();
for (const { file, px, share, isRound } of ICONS) {
  await page.setViewportSize({ width: px, height: px });
  const mark = `<svg viewBox="0 0 24 24" width="${px * share}" fill="none" stroke="#e8eaed" stroke-width="2.2"
    stroke-linecap="round">${path}${circle.replace('<circle', '<circle fill="#ffb454" stroke="none"')}</svg>`;
  const tile = `display:grid;place-items:center;width:${px}px;height:${px}px;background:#0f1113;
    border-radius:${isRound ? px * 0.22 : 0}px`;
  await page.setContent(`<body style="margin:0"><div style="${tile}">${mark}</div>`);
  const picture = await page.screenshot({ omitBackground: true });
  writeFileSync(join(root, 'src/page/files', file), picture);
  process.stdout.write(`src/page/files/${file} ${picture.length} bytes\n`);
}
