// A program that floods its terminal, with and without a browser that watches it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../test/eventually.ts';
import { PageWorld } from '../test/web/page-world.ts';
import { mb, ms, percentile, report, share, times } from './measure.ts';
import { terminalOf } from './web-echo.ts';
import { rssOf } from './web-watch.ts';

const SECONDS = 30;
const WAIT_MS = 300_000;

/** Writes 1 MB fifty times a second, tells how many keys came, and at the end how long it took. */
const PROGRAM = `
import { writeSync, writeFileSync } from 'node:fs';
const [, , seconds, file] = process.argv;
let keys = 0;
process.stdin.setRawMode(true);
process.stdin.on('data', (typed) => { keys += typed.length; });
const pause = (ms) => new Promise((over) => setTimeout(over, ms));
const write = async (bytes) => {
  for (let at = 0; at < bytes.length; ) {
    try { at += writeSync(1, bytes, at); } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      await pause(0);
    }
  }
};
const megabyte = Buffer.from('The quick brown fox jumps over the lazy dog.\\r\\n'.repeat(22_310));
const fromMs = performance.now();
for (let i = 0; i < Number(seconds) * 50; i += 1) {
  await write(megabyte);
  await write(Buffer.from('\\x1b[H\\x1b[2Kkeys ' + keys + '.\\x1b[24;1H'));
  await pause(Math.max(0, fromMs + i * 20 - performance.now()));
}
writeFileSync(file, String(performance.now() - fromMs));
await write(Buffer.from('\\x1b[H\\x1b[2Jfinished\\r\\n'));
setInterval(() => {}, 1e6);
`;

/** What a flood costs, and what a person notices of it. */
export async function flooded(): Promise<void> {
  await using world = await PageWorld.open();
  const program = join(world.folder, 'flood.mjs');
  writeFileSync(program, PROGRAM);
  const file = (name: string): string => join(world.folder, name);
  const argv = (name: string): [string, ...string[]] => [process.execPath, program, String(share(SECONDS)), file(name)];
  const alone = await world.web.client.start({ argv: argv('alone'), terminal: 'pty', cwd: world.folder });
  const aloneMs = await doneMs(file('alone'));
  await alone.stop({ graceMs: 0 });

  const before = rssOf(world.web.serverPid);
  const watched = await terminalOf(world, argv('watched'));
  const { delays, most } = await typing(world, file('watched'));
  const ratio = (await doneMs(file('watched'))) / aloneMs;
  await world.page.locator('.xterm-rows', { hasText: 'finished' }).waitFor({ timeout: WAIT_MS });
  const isRight = await eventually(async () => (await shownRows(world)) === (await rowsOf(world, watched)), {
    what: 'the last screen',
  }).catch(() => false);
  const echo = percentile(delays, 95);
  report(`a flood of ${share(SECONDS)} s, watched / not watched`, times(ratio), '<= 1.05x', ratio <= 1.05);
  report('memory of the server, more than before', mb(most - before), '<= 32 MB', most - before <= 32 * 1024 ** 2);
  report('key in the flood -> its echo', `p95 ${ms(echo)} of ${delays.length}`, '<= 200 ms', echo <= 200);
  report('the last screen is right', isRight ? 'yes' : 'no', 'yes', isRight);
}

/** Types a key again and again until the flood is over; how long each took, and the most memory of the server. */
async function typing(world: PageWorld, file: string): Promise<{ delays: number[]; most: number }> {
  const delays: number[] = [];
  let most = 0;
  for (let key = 1; textOf(file) === ''; key += 1) {
    most = Math.max(most, rssOf(world.web.serverPid));
    const from = performance.now();
    await world.page.keyboard.press('x');
    // The program tells how many it has got, in each megabyte.
    const echoed = `new Promise((over) => {
      const isThere = () => document.querySelector('.xterm-rows').textContent.includes('keys ${key}.');
      const isOver = () => document.querySelector('.xterm-rows').textContent.includes('finished');
      const look = () => (isThere() ? over(true) : isOver() ? over(false) : requestAnimationFrame(look));
      look();
    })`;
    if (await world.read<boolean>(echoed)) delays.push(performance.now() - from);
  }
  return { delays, most };
}

async function doneMs(file: string): Promise<number> {
  return Number(await eventually(() => textOf(file), { what: 'the end of the flood', msMax: WAIT_MS }));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The rows of the terminal on the page. */
async function shownRows(world: PageWorld): Promise<string> {
  const rows = await world.read<string[]>(
    "[...document.querySelectorAll('.xterm-rows > div')].map((row) => row.textContent)",
  );
  return plain(rows);
}

async function rowsOf(world: PageWorld, session: string): Promise<string> {
  return plain((await world.web.client.screen(session)).rows);
}

const plain = (rows: readonly string[]): string =>
  rows
    .map((row) => row.replaceAll('\u00a0', ' ').trimEnd())
    .join('\n')
    .trimEnd();
