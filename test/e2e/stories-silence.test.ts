import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { some } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';
import { isRunning } from './live.ts';

const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());

const TERMINALS = [[], ['--pty'], ['--tmux']];

test.each(some(TERMINALS, 2).map((terminal) => [terminal]))(
  'a command that goes silent is stopped %j',
  async (terminal) => {
    const ran = await world.cli(['exec', ...terminal, '--silence', '400ms', '-c', 'echo hello; exec sleep 1000']);
    expect([ran.status, ran.stdout.trim()]).toEqual([124, 'hello']);
    expect(ran.stderr).toBe('outlast: silent for too long\n');
    const { sessions } = await world.client.list({ limit: 1 });
    expect(sessions[0]?.outcome).toEqual({ kind: 'stopped', by: 'silence', bound: 'silence' });
    expect(isRunning(sessions[0]?.pid ?? 0)).toBe(false);
  },
);

test('a command that keeps printing outlives many silences', async () => {
  const line = 'for i in $(seq 40); do echo $i; sleep 0.1; done; exit 3';
  const ran = await world.cli(['exec', '--silence', '2s', '-c', line]);
  expect([ran.status, ran.stderr]).toEqual([3, '']);
});

test('output to a separate stderr is not a silence', async () => {
  const line = 'for i in $(seq 40); do echo $i >&2; sleep 0.1; done; exit 3';
  expect((await world.cli(['exec', '--split', '--silence', '2s', '-c', line])).status).toBe(3);
});

test('when both expire at once it was the timeout', async () => {
  const ran = await world.cli(['exec', '--silence', '300ms', '--timeout', '300ms', '--', 'sleep', '1000']);
  expect([ran.status, ran.stderr]).toEqual([124, 'outlast: timed out\n']);
});

test('a silence is still detected after the daemon was killed, and poll reports it', async () => {
  const session = await world.client.start({ argv: ['sleep', '1000'], silenceMs: 1_500 });
  expect((await session.show()).silenceMs).toBe(1_500);
  await eventually(async () => (await session.show()).session.pid);
  await world.restart();
  expect((await session.wait({ timeoutMs: 20_000 })).session.outcome).toEqual({
    kind: 'stopped',
    by: 'silence',
    bound: 'silence',
  });
  const polled = await world.cli(['process', 'poll', session.id]);
  expect(polled.stdout).toMatch(
    /^\(no new output\)\n\nProcess timed out waiting for output\.\nThe command was terminated/,
  );
});

test.each([
  ['reads its input', ['--stdin', 'open'], 'read x'],
  ['reads its input on a terminal', ['--pty'], 'read x'],
  ['has asked a question', ['--pty'], 'printf "Sure? [y/N] "; sleep 1000'],
])('a command that %s is seen to wait', async (_, options, line) => {
  const id = (await world.cli(['exec', '-b', ...options, '-c', line])).stdout.trim();
  const seen = (): Promise<boolean> =>
    world.client.list({ limit: 1 }).then(({ sessions }) => sessions[0]?.waitsForInput === true);
  await eventually(seen, { msMax: 30_000 });
  expect((await world.cli(['show', id])).stdout).toContain('waits for input?');
  expect((await world.cli(['list', '--limit', '1'])).stdout).toContain('waits for input?');
  expect((await world.cli(['process', 'poll', id])).stdout).toContain('It seems to wait for input.\n');
  await world.client.stop({ session: id, graceMs: 0 });
});

test('a command that works, or has no input, is not reported as waiting', async () => {
  const busy = await world.client.start({ argv: ['sh', '-c', 'echo up; exec sleep 1000'], stdin: 'open' });
  const deaf = await world.client.start({ argv: ['sh', '-c', 'printf up; exec sleep 1000'], stdin: 'empty' });
  for (const session of [busy, deaf]) {
    await eventually(async () => (await session.output()).text?.startsWith('up'));
    expect((await session.show()).session.waitsForInput).toBeUndefined();
    await session.stop({ graceMs: 0 });
  }
});

test('poll says when to poll again, as long as there is something to read', async () => {
  const session = await world.client.start({ argv: ['sh', '-c', 'echo up; read x'], stdin: 'open' });
  await eventually(async () => (await session.poll()).text === 'up\n');
  expect((await session.poll()).retryInMs).toBe(5_000);
  await session.write({ eof: true });
  await session.wait();
  expect((await session.poll()).retryInMs).toBeUndefined();
});

test('--path-prepend and the config put folders before the PATH', async () => {
  const [first, second] = ['first', 'second'].map((name) => {
    const folder = join(world.state, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'whoami'), `#!/bin/sh\necho ${name}\n`);
    chmodSync(join(folder, 'whoami'), 0o755);
    return folder;
  });
  const words = ['exec', '--path-prepend', first ?? '', '--path-prepend', second ?? ''];
  expect((await world.cli([...words, '--', 'whoami'])).stdout).toBe('first\n');
  expect((await world.cli([...words, '-c', 'echo "$PATH"'])).stdout).toBe(`${first}:${second}:${process.env.PATH}\n`);
  await using configured = await makeWorld({ config: { pathPrepend: [second] } });
  expect((await configured.cli(['exec', '--', 'whoami'])).stdout).toBe('second\n');
  const wrong = await world.cli(['exec', '--path-prepend', 'a:b', '--', 'whoami']);
  expect([wrong.status, wrong.stderr]).toEqual([125, expect.stringContaining('cannot be put before PATH')]);
});
