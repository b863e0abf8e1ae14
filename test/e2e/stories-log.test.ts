import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';
import { liveCli } from './live.ts';

const LINES = 400_000;
const clock = realClock();
const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());

let long = '';
beforeAll(async () => {
  long = (await world.cli(['exec', '-b', '--', 'seq', '1', String(LINES)])).stdout.trim();
  await world.cli(['wait', long]);
});

/** The output of seq. */
function numbers(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, i) => `${first + i}\n`).join('');
}

test.each([
  ['process log --offset 0', 1, LINES],
  ['process log --offset 1', 2, LINES],
  ['process log --offset 399990', 399_991, LINES],
  ['process log --offset 0 --limit 300000', 1, 300_000],
  ['process log --offset 5 --limit 300000', 6, 300_005],
  ['process log --offset 5 --limit 10', 6, 15],
  ['process log --limit 300000', 100_001, LINES],
  ['process log --from 0', 1, LINES],
  ['output --tail 300000', 100_001, LINES],
  ['output --tail 1000000', 1, LINES],
  ['output', 1, LINES],
])('%s gives exactly the lines asked for', async (line, first, last) => {
  const ran = await world.cli([...line.split(' '), long]);
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  const expected = numbers(first, last);
  expect([ran.stdout.length, ran.stdout.split('\n').length]).toEqual([expected.length, expected.split('\n').length]);
  expect(ran.stdout === expected).toBe(true);
});

test('a page that is cut says so to programs', async () => {
  const { stdout } = await world.cli(['process', 'log', long, '--offset', '0', '--json']);
  const page = JSON.parse(stdout);
  expect(page).toMatchObject({ more: true, lines: { offset: 0, total: LINES } });
  expect((await world.client.output({ session: long, from: page.next, bytes: 20 })).text).toBe(
    numbers(1, LINES).slice(page.next, page.next + 20),
  );
});

test('no reader spins while an escape sequence is unfinished, and nothing is reported as missing', async () => {
  const go = join(world.state, 'go');
  const line = `printf 'abc\\033['; until [ -e '${go}' ]; do sleep 0.02; done; printf 'mdef'; sleep 1000`;
  const id = (await world.cli(['exec', '-b', '-c', line])).stdout.trim();
  await eventually(async () => (await world.client.output({ session: id })).end === 5);
  const { pid } = await world.client.daemonStatus();
  expect((await world.cli(['process', 'poll', id])).stdout).toMatch(/^abc\n\nProcess still running\.\n/);
  expect((await world.cli(['output', id])).stdout).toBe('abc');
  expect((await world.cli(['process', 'log', id, '--from', '0'])).stdout).toBe('abc\n');
  await using following = liveCli(world, ['output', id, '--follow']);
  await eventually(() => following.stdout === 'abc');
  const [fromMs, fromTicks] = [clock.steadyMs(), ticksOf(pid)];
  const polled = await world.cli(['process', 'poll', id, '--timeout', '2s']);
  expect(polled.stdout).toMatch(/^\(no new output\)\n\nProcess still running\.\n/);
  expect(clock.steadyMs() - fromMs).toBeGreaterThanOrEqual(2_000);
  expect(ticksOf(pid) - fromTicks).toBeLessThan(150);
  await using waiting = liveCli(world, ['process', 'poll', id, '--timeout', '60s']);
  writeFileSync(go, '');
  expect(await waiting.status()).toBe(0);
  expect(waiting.stdout).toBe('def\n\nProcess still running.\n');
  await eventually(() => following.stdout === 'abcdef');
});

test('a poll of more than fits says so, and the next continues', async () => {
  const first = await world.client.poll({ session: long });
  expect(first.notices).toEqual(['[there is more output than fits here; poll again for the rest]']);
  let [text, cursor] = [first.text, first.next];
  for (let isMore = true; isMore; ) {
    await world.client.ack({ session: long, cursor });
    const polled = await world.client.poll({ session: long });
    text += polled.text;
    cursor = polled.next;
    isMore = polled.notices.length > 0;
  }
  expect(text === numbers(1, LINES)).toBe(true);
});

/** CPU time of a process in hundredths of a second. */
function ticksOf(pid: number): number {
  const words = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(words[11]) + Number(words[12]);
}
