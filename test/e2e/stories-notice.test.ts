import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { World } from '../world.ts';
import { liveCli } from './live.ts';

/** A world in which each notice is appended to a file. */
async function noticeWorld(on?: string[]): Promise<{ world: World; notices: () => string[] }> {
  const state = mkdtempSync(join(tmpdir(), 'outlast-'));
  const file = join(state, 'notices');
  const command = ['sh', '-c', `{ cat; echo ---; } >>'${file}'`];
  const world = new World({ state, config: { notices: [{ name: 'log', command, ...(on ? { on } : {}) }] } });
  await world.start();
  const notices = (): string[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('---\n')
          .filter(Boolean)
          .flatMap((all) => all.split('\n\n'))
      : [];
  return { world, notices };
}

const isSettled = (world: World) =>
  eventually(async () => (await world.client.daemonStatus()).notices.every(({ behind }) => behind === 0), {
    what: 'the delivery of all notices',
  });

test('each end that matters is reported once, with its full id, and no other', async () => {
  const { world, notices } = await noticeWorld();
  await using _ = world;
  const exec = async (...args: string[]): Promise<string> => (await world.cli(['exec', ...args])).stdout.trim();
  const failed = await exec('-b', '--name', 'fails', '-c', 'echo the reason; exit 7');
  const silentFailure = await exec('-b', '-c', 'exit 8');
  const silent = await exec('-b', '-c', 'true');
  const talks = await exec('-b', '-c', 'echo fine');
  const wanted = await exec('-b', '--notify-empty', '-c', 'true');
  const hushed = await exec('-b', '--no-notify', '-c', 'echo no; exit 9');
  const slow = await exec('-b', '--timeout', '100ms', '--', 'sleep', '1000');
  for (const id of [failed, silentFailure, silent, talks, wanted, hushed, slow]) await world.cli(['wait', id]);
  const front = JSON.parse(await exec('--json', '-c', 'echo seen; exit 6')).session.id;
  const last = await exec('-b', '-c', 'echo the last');
  await eventually(() => notices().some((text) => text.includes(last)), { what: 'the last notice' });
  await isSettled(world);
  const times = (id: string): number => notices().filter((text) => text.includes(id)).length;
  const count = { failed, silentFailure, silent, talks, wanted, hushed, slow, front };
  expect(Object.fromEntries(Object.entries(count).map(([name, id]) => [name, times(id)]))).toEqual({
    failed: 1,
    silentFailure: 1,
    silent: 0,
    talks: 1,
    wanted: 1,
    hushed: 0,
    slow: 1,
    front: 0,
  });
  const text = notices().find((each) => each.includes(failed));
  expect(text).toMatch(/fails.*exit 7/);
  expect(text).toMatch(/the reason/);
  expect(notices().find((each) => each.includes(slow))).toMatch(/timed out/);
});

test('an end that came while the daemon was dead is reported once by the next', async () => {
  const { world, notices } = await noticeWorld();
  await using _ = world;
  const go = join(world.state, 'go');
  const line = `until [ -e '${go}' ]; do sleep 0.02; done; echo over; exit 4`;
  const id = (await world.cli(['exec', '-b', '-c', line])).stdout.trim();
  const pid = await eventually(async () => (await world.client.session(id).show()).session.pid);
  await world.kill();
  writeFileSync(go, '');
  await eventually(() => !existsSync(`/proc/${pid}`));
  expect(notices()).toEqual([]);
  await world.start();
  await eventually(() => notices().length > 0);
  // Killed before it could record the delivery, it would send it again: at least once, not exactly once.
  await isSettled(world);
  await world.restart();
  await isSettled(world);
  expect(notices().filter((text) => text.includes(id)).length).toBe(1);
});

test('a foreground exec that was yielded, or whose caller was killed, is reported', async () => {
  const { world, notices } = await noticeWorld();
  await using _ = world;
  const go = join(world.state, 'go');
  const line = `echo up; until [ -e '${go}' ]; do sleep 0.02; done; exit 4`;
  const yielded = JSON.parse((await world.cli(['exec', '--json', '--yield', '100ms', '-c', line])).stdout).session.id;
  await using live = liveCli(world, ['exec', '--name', 'left', '-c', line]);
  await live.shows('up');
  live.child.kill('SIGKILL');
  const left = (await world.client.session('left').show()).session.id;
  await eventually(async () => (await world.client.session(left).show()).session.background);
  writeFileSync(go, '');
  for (const id of [yielded, left]) await eventually(() => notices().some((text) => text.includes(id)), { what: id });
});

test('a notice for failures gets failures only', async () => {
  const { world, notices } = await noticeWorld(['failed']);
  await using _ = world;
  const fine = (await world.cli(['exec', '-b', '-c', 'echo fine'])).stdout.trim();
  await world.cli(['wait', fine]);
  const bad = (await world.cli(['exec', '-b', '-c', 'exit 1'])).stdout.trim();
  await eventually(() => notices().some((text) => text.includes(bad)));
  expect(notices().filter((text) => text.includes(fine))).toEqual([]);
});
