import { createHash, randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';
import { crash, liveCli, liveScript } from './live.ts';

const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());

test('sort gets a pipe and its end, twenty times in a row', async () => {
  for (let n = 0; n < 20; n += 1) {
    await using sort = liveCli(world, ['exec', '--', 'sort'], { input: 'b\na\n' });
    expect({ n, status: await sort.status(8_000), output: sort.stdout }).toEqual({ n, status: 0, output: 'a\nb\n' });
  }
});

test('a megabyte of a file goes through cat unchanged', async () => {
  const bytes = randomBytes(1_000_000);
  const sum = createHash('sha256').update(bytes).digest('hex');
  for (let n = 0; n < 3; n += 1) {
    await using cat = liveCli(world, ['exec', '--', 'sh', '-c', 'cat | sha256sum'], { input: bytes });
    expect(await cat.status()).toBe(0);
    expect(cat.stdout).toBe(`${sum}  -\n`);
  }
  await using script = liveScript(
    world,
    'in="$OUTLAST_STATE/in"; head -c 1000000 /dev/urandom >"$in"; outlast exec -- cat <"$in" | cmp - "$in"',
  );
  expect([await script.status(), script.stdout, script.stderr]).toEqual([0, '', '']);
});

test('a line reaches the command when it is typed, not when the input ends', async () => {
  await using live = liveCli(world, ['exec', '--', 'sh', '-c', 'while read -r x; do echo "<$x>"; done; echo over']);
  live.child.stdin?.write('one\n');
  await live.shows('<one>\n');
  live.child.stdin?.write('two\n');
  await live.shows('<two>\n');
  live.child.stdin?.end();
  expect(await live.status()).toBe(0);
  expect(live.stdout).toBe('<one>\n<two>\nover\n');
});

test('a command that ends without reading does not wait for its input, nor break the writer', async () => {
  await using live = liveCli(world, ['exec', '--', 'sh', '-c', 'exit 5']);
  expect(await live.status()).toBe(5);
  await using script = liveScript(world, 'yes | outlast exec -- head -n 2');
  expect(await script.status()).toBe(0);
  expect(script.stdout).toBe('y\ny\n');
  expect(script.stderr).toBe('');
});

test.each(['</dev/null', '<&-'])('with %s the command finds the end of its input at once', async (redirect) => {
  await using script = liveScript(world, `outlast exec -- sh -c 'cat; echo over' ${redirect}`);
  expect(await script.status()).toBe(0);
  expect(script.stdout).toBe('over\n');
});

test('a background cat accepts writes, outlives the daemon in between, and is ended by --eof', async () => {
  const id = (await world.cli(['exec', '-b', '--', 'cat'])).stdout.trim();
  expect((await world.cli(['process', 'write', id, 'one\n'])).status).toBe(0);
  await crash(world);
  expect((await world.cli(['process', 'write', id, '-'], { input: 'two\n' })).status).toBe(0);
  expect((await world.cli(['wait', id, '--timeout', '200ms'])).status).toBe(6);
  expect((await world.cli(['process', 'write', id, '--eof'])).status).toBe(0);
  expect((await world.cli(['wait', id])).status).toBe(0);
  expect((await world.cli(['output', id])).stdout).toBe('one\ntwo\n');
  expect((await world.cli(['process', 'write', id, 'three\n'])).status).toBe(4);
});

test('a write right after the start is not refused because it is early', async () => {
  for (let n = 0; n < 5; n += 1) {
    const id = (await world.cli(['exec', '-b', '--', 'cat'])).stdout.trim();
    const wrote = await world.cli(['process', 'write', id, 'early\n', '--eof']);
    expect([wrote.status, wrote.stderr]).toEqual([0, '']);
    expect((await world.cli(['wait', id, '--timeout', '10s'])).status).toBe(0);
    expect((await world.cli(['output', id])).stdout).toBe('early\n');
  }
});

test('several megabytes from the background arrive whole', async () => {
  const bytes = randomBytes(3_000_000);
  const sum = createHash('sha256').update(bytes).digest('hex');
  const id = (await world.cli(['exec', '-b', '-c', 'cat | sha256sum'])).stdout.trim();
  await eventually(async () => (await world.client.session(id).show()).session.phase === 'working');
  const wrote = await world.cli(['process', 'write', id, '-', '--eof'], { input: bytes });
  expect([wrote.status, wrote.stderr]).toEqual([0, '']);
  expect((await world.cli(['wait', id])).status).toBe(0);
  expect((await world.cli(['output', id])).stdout).toBe(`${sum}  -\n`);
});

test('--stdin empty refuses writes with a reason; the command is at its end', async () => {
  const go = join(world.state, 'go');
  const line = `cat; echo over; until [ -e '${go}' ]; do sleep 0.02; done`;
  const id = (await world.cli(['exec', '-b', '--stdin', 'empty', '-c', line])).stdout.trim();
  await eventually(async () => (await world.cli(['output', id])).stdout === 'over\n');
  const wrote = await world.cli(['process', 'write', id, 'x']);
  expect(wrote.status).toBe(4);
  expect(wrote.stderr).toMatch(/without an open standard input/);
  expect(existsSync(go)).toBe(false);
  expect((await world.cli(['stop', id, '--now'])).status).toBe(0);
});

test('input for a late reader is in its pipe or still with the caller when the daemon is killed', async () => {
  const go = join(world.state, 'go-late');
  const line = `until [ -e '${go}' ]; do sleep 0.02; done; exec wc -c`;
  const session = await world.client.start({ argv: ['sh', '-c', line], stdin: 'open' });
  const data = Buffer.alloc(300_000, 'x').toString('base64');
  const { bytes, pendingBytes, refusedBytes } = await session.write({ base64: data });
  expect([bytes + (refusedBytes ?? 0), pendingBytes]).toEqual([300_000, 0]);
  await world.restart();
  writeFileSync(go, '');
  const rest = await session.write({ base64: Buffer.alloc(refusedBytes ?? 0, 'x').toString('base64'), eof: true });
  expect(rest.refusedBytes).toBeUndefined();
  await session.wait();
  expect((await session.output()).text?.trim()).toBe('300000');
});
