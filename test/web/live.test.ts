import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CREDIT_BYTES, FROM_SERVER, jsonIn, readBytes } from '../../src/api/live-frames.ts';
import { times } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { buildBarePage, isState, openBare } from './bare-page.ts';
import { RealBrowser } from './chromium.ts';
import { LiveClient } from './live-client.ts';
import { WebWorld } from './web-world.ts';

// The connection of the page, in a real browser: what is lost is tried again, and nothing comes twice or not at all.

let world: WebWorld;
let chromium: RealBrowser;

beforeAll(async () => {
  world = new WebWorld({ config: { agent: 'scripted' } });
  await world.start();
  world.page = await buildBarePage(world);
  await world.serve([], withoutDaemon());
  chromium = await RealBrowser.start(world.env);
});

afterAll(async () => {
  await chromium[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** The server starts no daemon: the test says when there is one. */
function withoutDaemon(): NodeJS.ProcessEnv {
  return { ...world.env, OUTLAST_DAEMON: '/nonexistent' };
}

/** Prints numbered lines until a file appears, at least so many of them. */
function printing(lines: number): string {
  const line = 'printf "%s line of the output that is read by a page\\n" $i';
  const pause = 'i=$((i+1)); [ $((i%40)) -eq 0 ] && sleep 0.02';
  return `i=0; while [ $i -lt ${lines} ] || [ ! -e "$STOP" ]; do ${line}; ${pause}; done`;
}

test('cut connections, a killed server and a killed daemon: nothing is missing and nothing comes twice', async () => {
  const stop = `${world.state}/stop`;
  const env = { PATH: process.env.PATH ?? '', STOP: stop };
  const session = await world.client.start({ shell: printing(1_000), cwd: '/', env });
  const { page, complaints } = await chromium.page();
  await openBare(page, await world.link());
  await page.evaluate(`void (globalThis.output = readAll('${session.id}'))`);
  await page.evaluate(`void (globalThis.positions = positionsUntil('${session.id}', 'session.ended'))`);
  const hasRead = (): Promise<number> => page.evaluate('globalThis.bytesRead ?? 0');
  const goesOn = async (): Promise<void> => {
    const before = await hasRead();
    await eventually(async () => (await hasRead()) > before, { what: 'more output' });
  };
  await goesOn();
  for (let cut = 0; cut < times(5, 100); cut += 1) {
    await page.evaluate('globalThis.sockets.at(-1).close()');
    await goesOn();
  }
  await world.unserve('SIGKILL');
  await isState(page, 'offline');
  await world.serve([], withoutDaemon());
  await goesOn();
  await world.kill();
  await isState(page, 'daemon away');
  await world.start();
  await goesOn();
  await isState(page, 'live');
  await world.client.exec({ argv: ['touch', stop], cwd: '/', env });
  const output = (await page.evaluate('globalThis.output')) as { bytes: number; hex: string; wrong: string[] };
  expect(output.wrong).toEqual([]);
  const parts: Buffer[] = [];
  for (let from = 0, more = true; more; ) {
    const read = await world.client.output({ session: session.id, view: 'raw', from });
    parts.push(Buffer.from(read.base64 ?? '', 'base64'));
    ({ next: from, more } = read);
  }
  const whole = Buffer.concat(parts);
  expect(output.bytes).toBe(whole.length);
  expect(output.hex).toBe(createHash('sha256').update(whole).digest('hex'));
  const positions = (await page.evaluate('globalThis.positions')) as number[];
  const expected: number[] = [];
  for await (const { position } of world.client.events()) expected.push(position);
  expect(positions).toEqual(expected.filter((each) => each <= (positions.at(-1) ?? 0)));
  const states = (await page.evaluate('globalThis.states')) as string[];
  expect(states.filter((is, i) => states[i - 1] === is)).toEqual([]);
  expect(states).toEqual(expect.arrayContaining(['live', 'offline', 'daemon away', 'catching up']));
  expect(states).not.toContain('signed out');
  expect(await page.evaluate('globalThis.violations')).toEqual([]);
  // What a browser says about a server that is not there.
  expect(complaints.filter((text) => !/ERR_CONNECTION|WebSocket|Failed to load resource/.test(text))).toEqual([]);
});

test('a reader that does not read holds up nothing, and skips to the end when it wants to', async () => {
  const device = await world.device('read');
  const live = await LiveClient.of(world, device);
  const flood = await world.client.start({ shell: 'head -c 20000000 /dev/zero | tr "\\0" x', cwd: '/', env: {} });
  await flood.wait({ for: 'exit' });
  const all = live.open('page.output', { session: flood.id, from: 0 });
  const skipping = live.open('page.output', { session: flood.id, from: 0, skipBytes: 1_000_000 });
  await eventually(() => live.of(all).length > 0 && live.of(skipping).length > 1);
  const skip = live.of(skipping)[0];
  expect([skip?.type, skip && jsonIn(skip)]).toEqual([FROM_SERVER.skip, { from: 0, to: 20_000_000 }]);
  // Nothing is acknowledged, so no more than the credit comes, however long one waits for another answer.
  await world.client.daemonStatus();
  const bytesOf = (): number => live.of(all).reduce((sum, { payload }) => sum + payload.length + 5, 0);
  await eventually(() => bytesOf() > CREDIT_BYTES - 40_000);
  expect(bytesOf()).toBeLessThanOrEqual(CREDIT_BYTES);
  // Read at its own pace, all of it comes.
  live.reads(all);
  await eventually(() => live.of(all).some(({ type }) => type === FROM_SERVER.end), { what: 'the end of the output' });
  const offsets = live.of(all).filter(({ type }) => type === FROM_SERVER.bytes);
  let next = 0;
  for (const { payload } of offsets) {
    const { from, bytes } = readBytes(payload);
    expect(from).toBe(next);
    next += bytes.length;
  }
  expect(next).toBe(20_000_000);
  live.close();
});

test('a call that waits is no connection of its own, and an aborted one ends', async () => {
  const { page, context } = await chromium.page();
  await openBare(page, await world.link());
  const session = await world.client.start({ argv: ['sleep', '600'], cwd: '/', env: {} });
  await page.evaluate(`void (globalThis.waits = Array.from({ length: 12 }, () =>
    live.outlast.wait({ session: '${session.id}', for: 'exit' })))`);
  // Twelve waits would use up the connections of HTTP/1.1.
  expect(await page.evaluate('live.outlast.list().then(({ sessions }) => sessions.length)')).toBeGreaterThan(0);
  const aborted = `{ const over = new AbortController(); const wait = live.outlast.wait(
    { session: '${session.id}', for: 'exit' }, over.signal); over.abort(new Error('enough'));
    globalThis.ended = wait.catch((error) => error.message); }`;
  await page.evaluate(aborted);
  expect(await page.evaluate('globalThis.ended')).toBe('enough');
  await session.stop();
  const met = await page.evaluate('Promise.all(globalThis.waits).then((all) => all.map(({ met }) => met))');
  expect(met).toEqual(Array.from({ length: 12 }, () => 'exit'));
  await context.close();
});
