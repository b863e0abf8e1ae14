import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { World } from '../world.ts';
import { smallDisk } from './small-disk.ts';

// T-ENOSPC-1: a state folder on its own disk, small enough to fill.

const DAEMON = join(import.meta.dirname, '../../dist/daemon.js');

const sh = (line: string): { argv: string[] } => ({ argv: ['sh', '-c', line] });

test('T-ENOSPC-1: a full disk refuses new work and hurts no run; new work is accepted once there is room', async () => {
  using disk = smallDisk('8m');
  await using world = new World({ state: join(disk.path, 'state') });
  await world.start();
  const session = await world.client.start({ ...sh('read x; echo "got $x"; exit 5'), stdin: 'open' });
  const pid = await eventually(async () => (await session.show()).session.pid);
  disk.fill();
  const refused = await world.client.start(sh('true')).then(
    () => null,
    (error) => error,
  );
  expect(refused?.code).toMatch(/journal_failed|state_unusable|terminal_failed/);
  expect(refused?.message).toMatch(/full|ENOSPC/);
  expect((await world.client.daemonStatus()).live).toBe(1);
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  disk.free();
  await eventually(() => world.client.start(sh('true')), { msMax: 30_000, what: 'a start after there is room' });
  await session.write({ base64: Buffer.from('later\n').toString('base64') });
  expect((await session.wait()).session.exit?.status).toBe(5);
  expect((await session.output()).text).toBe('got later\n');
});

test('T-ENOSPC-1: an exit while the disk is full is recorded once there is room', async () => {
  using disk = smallDisk('8m');
  await using world = new World({ state: join(disk.path, 'state') });
  await world.start();
  const session = await world.client.start({ ...sh('read x; exit 9'), stdin: 'open' });
  const pid = await eventually(async () => (await session.show()).session.pid);
  disk.fill();
  process.kill(pid, 'SIGTERM');
  await eventually(() => !existsSync(`/proc/${pid}`));
  expect((await session.show()).session.phase).not.toBe('ended');
  disk.free();
  expect((await session.wait({ timeoutMs: 30_000 })).session.exit?.status).toBe(143);
});

test('a read-only state folder is reported, and used again when it is writable', async () => {
  using disk = smallDisk('16m');
  await using world = new World({ state: join(disk.path, 'state') });
  await world.start();
  const kept = await world.client.start(sh('echo fine'));
  await kept.wait();
  await world.kill();
  disk.remount('ro');
  const run = spawnSync(process.execPath, [DAEMON], { env: world.env, encoding: 'utf8', timeout: 10_000 });
  expect(run.status).toBe(1);
  expect(run.stderr).toMatch(/EROFS|read-?only/i);
  expect(run.stderr).toMatch(/OUTLAST_STATE|doctor/);
  disk.remount('rw');
  await world.start();
  expect((await kept.output()).text).toBe('fine\n');
});

test('T-FLOOD-1: output beyond its cap drops the oldest bytes, counted and shown; callers are served', async () => {
  await using world = new World();
  await world.start();
  const flood = await world.client.start({
    ...sh('seq 1 4000000; echo the end; read x'),
    stdin: 'open',
    outputBytesMax: 4 * 1024 * 1024,
  });
  await flood.wait({ for: 'text:the end', since: 0, timeoutMs: 60_000 });
  const seen = await eventually(async () => {
    const { session } = await flood.show();
    return session.droppedBytes > 0 && session.outputBytes - session.droppedBytes <= 4 * 1024 * 1024 && session;
  });
  expect(seen.outputBytes).toBeGreaterThan(25 * 1024 * 1024);
  const file = join(world.state, 'sessions', flood.id, 'runs/1/output');
  await eventually(() => statSync(file).blocks * 512 <= 5 * 1024 * 1024, { what: 'freed blocks of the disk' });
  const page = await flood.output({ from: 0, bytes: 100 });
  expect(page.from).toBe(seen.droppedBytes);
  expect((await world.client.exec(sh('echo quick'))).output).toBe('quick\n');
  const polled = await flood.poll();
  expect(polled.notices[0]).toMatch(/discarded at the retention cap/);
  await flood.stop();
});

test('T-FLOOD-1: the daemon handles a line of 100 MB, NULs and invalid UTF-8', async () => {
  await using world = new World();
  await world.start();
  const line = await world.client.start(sh("head -c 100000000 /dev/zero | tr '\\0' x; printf 'a\\0b\\377c\\n'"));
  const { session } = await line.wait({ timeoutMs: 60_000 });
  expect(session.outputBytes).toBe(100_000_006);
  const tail = await line.output({ from: session.outputBytes - 6 });
  expect(tail.text).toBe('ab\uFFFDc\n');
  const raw = await line.output({ view: 'raw', from: session.outputBytes - 6 });
  expect([...Buffer.from(raw.base64 ?? '', 'base64')]).toEqual([97, 0, 98, 255, 99, 10]);
  expect((await line.output({ tail: 1 })).text?.length).toBeLessThanOrEqual(1024 * 1024);
  expect((await world.client.daemonStatus()).rssBytes).toBeLessThan(400_000_000);
  writeFileSync(join(world.state, 'checked'), '');
});
