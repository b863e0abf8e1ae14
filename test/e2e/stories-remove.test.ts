import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { makeWorld, type World } from '../world.ts';

const exec = async (world: World, ...args: string[]): Promise<string> =>
  (await world.cli(['exec', '-b', ...args])).stdout.trim();
const folderOf = (world: World, id: string): string => join(world.state, 'sessions', id);

test('remove --ended removes what is old enough, and never a live session', async () => {
  await using world = await makeWorld();
  const live = await exec(world, '--', 'sleep', '1000');
  const ended = await exec(world, '-c', 'echo out; exit 1');
  await world.cli(['wait', ended]);
  const none = await world.cli(['remove', '--ended', '--older-than', '7d']);
  expect([none.status, none.stdout]).toEqual([0, 'Removed 0 sessions.\n']);
  const one = await world.cli(['remove', '--ended', '--older-than', '1ms', '--json']);
  expect(JSON.parse(one.stdout)).toEqual({ removed: [ended], kept: [] });
  expect([existsSync(folderOf(world, ended)), existsSync(folderOf(world, live))]).toEqual([false, true]);
  expect((await world.cli(['output', ended])).status).toBe(3);
  await world.cli(['remove', '--ended']);
  expect((await world.client.session(live).show()).session.phase).toBe('working');
  expect((await world.cli(['list', '--json'])).stdout).not.toContain(ended);
  await world.restart();
  expect((await world.cli(['show', ended])).status).toBe(3);
  expect((await world.client.session(live).show()).session.phase).toBe('working');
});

test('remove of several reports each, and continues after one that it may not remove', async () => {
  await using world = await makeWorld();
  const live = await exec(world, '--', 'sleep', '1000');
  const ended = await exec(world, '--', 'true');
  await world.cli(['wait', ended]);
  const ran = await world.cli(['remove', live, 'nobody', ended]);
  expect(ran.status).not.toBe(0);
  expect(ran.stdout).toBe(`Removed session ${ended}.\n`);
  expect(ran.stderr).toMatch(/still live[\s\S]*no session "nobody"/);
  expect((await world.client.session(live).show()).session.phase).toBe('working');
});

test('retention removes old ended sessions by itself, never live ones, also a name that is used again', async () => {
  const retention = { ageMsMax: 500, everyMs: 1000 };
  await using world = await makeWorld({ config: { retention } });
  const live = await exec(world, '--', 'sleep', '1000');
  const ended = await exec(world, '--name', 'same', '--', 'true');
  await world.cli(['wait', ended]);
  const again = await exec(world, '--name', 'same', '--', 'sleep', '1000');
  await eventually(() => !existsSync(folderOf(world, ended)), { what: 'the end of its time' });
  expect((await world.client.session('same').show()).session.id).toBe(again);
  for (const id of [live, again]) expect((await world.client.session(id).show()).session.phase).toBe('working');
});

test('a session whose end was not delivered stays, unless it is forced', async () => {
  const notices = [{ name: 'broken', command: ['false'], triesMax: 100 }];
  await using world = await makeWorld({ config: { notices } });
  const id = await exec(world, '-c', 'echo out; exit 1');
  await world.cli(['wait', id]);
  const kept = await world.cli(['remove', id]);
  expect(kept.status).toBe(4);
  expect(kept.stderr).toMatch(/notice[\s\S]*--force/);
  const pruned = JSON.parse((await world.cli(['remove', '--ended', '--json'])).stdout);
  expect(pruned).toMatchObject({ removed: [], kept: [{ id }] });
  expect((await world.cli(['process', 'clear', id])).status).toBe(4);
  expect((await world.cli(['remove', id, '--force'])).status).toBe(0);
  expect(existsSync(folderOf(world, id))).toBe(false);
});
