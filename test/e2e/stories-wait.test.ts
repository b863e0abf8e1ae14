import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';
import { crash, hasPrinted, liveCli, startCommand } from './live.ts';

const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());

const start = (...args: string[]): Promise<string> => startCommand(world, ...args);
const printed = (id: string, text: string) => hasPrinted(world, id, text);
const wait = async (id: string, ...args: string[]) => {
  const ran = await world.cli(['wait', id, ...args]);
  return { status: ran.status, output: ran.stdout.trim() };
};

test.each([
  ['exit 0', 0],
  ['exit 7', 8],
  ['kill -TERM $$', 8],
])('the end of "%s" gives %d', async (line, status) => {
  const id = await start('-c', line);
  expect((await wait(id)).status).toBe(status);
  expect((await wait(id, '--for', 'ended')).status).toBe(status);
});

test('wait fails for a session that was stopped or timed out', async () => {
  const stopped = await start('-c', 'trap "exit 0" TERM; sleep 1000 & wait');
  await world.cli(['stop', stopped]);
  expect((await wait(stopped)).status).toBe(8);
  expect((await wait(await start('--timeout', '50ms', '--', 'sleep', '1000'))).status).toBe(8);
});

test('a wait that times out gives 6, and the session keeps running', async () => {
  const id = await start('--', 'sleep', '1000');
  expect((await wait(id, '--timeout', '100ms')).status).toBe(6);
  expect((await wait(id, '--for', 'text:never', '--timeout', '100ms')).status).toBe(6);
  expect((await world.client.session(id).show()).session.phase).toBe('working');
  await world.cli(['stop', id, '--now']);
});

test('existing text does not match by accident, but does with --since', async () => {
  const id = await start('--', 'cat');
  await world.cli(['process', 'write', id, 'listening on 8080\n']);
  await printed(id, '8080');
  expect((await wait(id, '--for', 'text:listening on \\d+', '--timeout', '150ms')).status).toBe(6);
  const since = await wait(id, '--for', 'text:listening on \\d+', '--since', '0');
  expect(since).toEqual({ status: 0, output: 'listening on 8080' });
  const { cursor, met, match } = JSON.parse((await wait(id, '--for', 'text:^list', '--since', '0', '--json')).output);
  expect([met, match, typeof cursor]).toEqual(['text', 'list', 'number']);
  await world.cli(['process', 'write', id, 'again: listening on 9090\n']);
  const next = await wait(id, '--for', 'text:listening on \\d+', '--since', String(cursor), '--timeout', '10s');
  expect(next).toEqual({ status: 0, output: 'listening on 9090' });
  await world.cli(['stop', id, '--now']);
});

test('the next wait continues at the cursor of the last: nothing in between is skipped', async () => {
  const id = await start('-c', 'printf "one\\ntwo\\nthree\\n"; exec sleep 1000');
  await printed(id, 'three');
  let since = 0;
  for (const word of ['one', 'two', 'three']) {
    const ran = await wait(id, '--for', `text:${word}`, '--since', String(since), '--timeout', '1s', '--json');
    expect({ word, status: ran.status }).toEqual({ word, status: 0 });
    since = JSON.parse(ran.output).cursor;
  }
  expect((await wait(id, '--for', 'text:one|two|three', '--since', String(since), '--timeout', '100ms')).status).toBe(
    6,
  );
  await world.cli(['stop', id, '--now']);
});

test('^ is the beginning of a line, however long the line is and however it came', async () => {
  const id = await start('--', 'cat');
  await world.cli(['process', 'write', id, `b${'a'.repeat(6000)}`]);
  await using waiting = liveCli(world, ['wait', id, '--for', 'text:^a', '--since', '0', '--timeout', '20s']);
  await using text = liveCli(world, ['wait', id, '--for', 'text:c', '--since', '0']);
  await world.cli(['process', 'write', id, 'aaac']);
  expect(await text.status()).toBe(0);
  await world.cli(['process', 'write', id, '--eof']);
  expect(await waiting.status()).toBe(8);
});

test('a wait sees a text as soon as it is printed, in pieces or coloured', async () => {
  const line = 'stty -echo 2>/dev/null; echo up; read a; printf "\\033[1mre"; read b; printf "\\033[0mady\\n"; read c';
  for (const terminal of [[], ['--pty'], ['--tmux']]) {
    const id = await start(...terminal, '-c', line);
    await printed(id, 'up');
    const { outputBytes } = (await world.client.session(id).show()).session;
    await using waiting = liveCli(world, ['wait', id, '--for', 'text:^ready$', '--since', String(outputBytes)]);
    await world.cli(['process', 'write', id, '\n']);
    await eventually(async () => (await world.client.session(id).show()).session.outputBytes > outputBytes);
    await world.cli(['process', 'write', id, '\n']);
    expect({ terminal, status: await waiting.status() }).toEqual({ terminal, status: 0 });
    await world.cli(['stop', id, '--now']);
  }
});

test('a session that ends before the text appears gives 8 at once', async () => {
  const id = await start('--', 'cat');
  await using waiting = liveCli(world, ['wait', id, '--for', 'text:ready']);
  await world.cli(['process', 'write', id, 'something else\n', '--eof']);
  expect(await waiting.status()).toBe(8);
  expect((await wait(id, '--for', 'text:ready', '--since', '0')).status).toBe(8);
  expect((await wait(id, '--for', 'text:else', '--since', '0')).status).toBe(0);
});

test('a silence is met when nothing was printed for that long, not before', async () => {
  const go = join(world.state, 'go');
  const id = await start('-c', `until [ -e '${go}' ]; do echo tick; sleep 0.05; done; sleep 1000`);
  expect((await wait(id, '--for', 'idle-output:1s', '--timeout', '500ms')).status).toBe(6);
  await using waiting = liveCli(world, ['wait', id, '--for', 'idle-output:300ms']);
  await printed(id, 'tick\ntick\n');
  expect(waiting.child.exitCode).toBe(null);
  writeFileSync(go, '');
  expect(await waiting.status()).toBe(0);
  await world.cli(['stop', id, '--now']);
});

test('a wait does not notice that the daemon was killed', async () => {
  const id = await start('--', 'cat');
  await using exit = liveCli(world, ['wait', id]);
  await using text = liveCli(world, ['wait', id, '--for', 'text:ready \\d', '--since', '0']);
  await eventually(async () => (await world.cli(['process', 'write', id, 'not yet\n'])).status === 0);
  await printed(id, 'not yet');
  await crash(world);
  await world.cli(['process', 'write', id, 'ready 1\n']);
  expect([await text.status(), text.stderr]).toEqual([0, '']);
  await world.cli(['process', 'write', id, '--eof']);
  expect([await exit.status(), exit.stderr]).toEqual([0, '']);
});

test('text that is printed while no daemon runs is seen by an earlier wait', async () => {
  const go = join(world.state, 'go-now');
  const id = await start('-c', `until [ -e '${go}' ]; do sleep 0.02; done; echo ready; exec sleep 1000`);
  const { pid } = (await world.client.session(id).show()).session;
  await using waiting = liveCli(world, ['wait', id, '--for', 'text:ready', '--since', '0']);
  await crash(world, () => writeFileSync(go, ''));
  expect(await waiting.status()).toBe(0);
  expect((await world.client.session(id).show()).session.pid).toBe(pid);
  await world.cli(['stop', id, '--now']);
});
