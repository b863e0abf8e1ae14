import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Ran } from '../world.ts';
import { SpawnWorld, shell } from './spawning.ts';

// Whichever way a session starts another, its limits apply; and none of them can be raised from inside.

type Inside = (words: readonly string[], env?: NodeJS.ProcessEnv) => Promise<Ran>;

/** The command line as run by a process of a session: it passes the session's marker. */
const insideOf =
  (world: SpawnWorld, session: string): Inside =>
  (words, env = {}) =>
    world.person(words, { OUTLAST_RUN: `${session}.1`, ...env });

const LASTING = [shell('sleep 1000')];
const SCRIPTED = ['--agent', 'scripted'];

test('the limits of a session apply in every way that starts another one', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const boss = await world.startAgent([{ text: 'hi' }], '--name', 'boss', '--spawn-children', '1');
  await world.settled(boss, 1);
  const inside = insideOf(world, boss);
  expect(await inside(['spawn', ...SCRIPTED, '--name', 'old', 'hello'])).toMatchObject({ status: 0 });
  await world.person(['wait', 'old', '--for', 'ended']);
  expect(await inside(['start', ...SCRIPTED, '--name', 'kid', 'hello'])).toMatchObject({ status: 0 });
  writeFileSync(join(world.workspace, 'many.yaml'), 'sessions:\n  a: { agent: scripted, prompt: x }\n');
  writeFileSync(join(world.home, 'wide.json'), JSON.stringify({ spawn: { childrenMax: 99, depthMax: 9 } }));
  const start = ['start', ...SCRIPTED, 'x'];
  const wide = { OUTLAST_SPAWN_CHILDREN_MAX: '99', OUTLAST_CONFIG: join(world.home, 'wide.json') };
  const ways: readonly (readonly [readonly string[], NodeJS.ProcessEnv?])[] = [
    [start],
    [start, wide],
    [['run', ...SCRIPTED, 'x']],
    [['spawn', ...SCRIPTED, 'x']],
    [['start', ...SCRIPTED, '--spawn-children', '9', '--spawn-depth', '9', 'x']],
    [['start', ...SCRIPTED, '--fork', 'old', 'x']],
    [['exec', '-c', `outlast ${start.join(' ')}`]],
    [['exec', '--', 'sh', '-c', `exec outlast ${start.join(' ')}`]],
    [['batch', 'many.yaml']],
    [['resume', 'old']],
  ];
  const before = (await world.client.list({ below: boss })).sessions.filter(({ drive }) => drive !== 'command');
  for (const [words, env] of ways) {
    const ran = await inside(words, env);
    const output = `${words.join(' ')}: ${ran.stdout}${ran.stderr}`;
    expect(output).toContain('boss has its maximum of live sessions (1/1)');
    expect([words, ran.status]).not.toEqual([words, 0]);
  }
  const { sessions } = await world.client.list({ below: boss });
  expect(sessions.filter(({ drive }) => drive !== 'command')).toHaveLength(before.length);
  // An end makes room, also for a resumed session, which uses it up.
  await world.person(['stop', 'kid']);
  expect(await inside(['resume', 'old'])).toMatchObject({ status: 0 });
  expect((await inside(start)).stderr).toContain('boss has its maximum of live sessions (1/1)');
});

test('what a session requests for its own sessions never exceeds what it has itself', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const limits = ['--spawn-depth', '2', '--spawn-children', '2', '--spawn-agents', 'scripted'];
  const boss = await world.startAgent([{ text: 'hi' }], '--name', 'boss', '--spawn-usd', '5', ...limits);
  const wide = ['--spawn-depth', '10', '--spawn-children', '1000', '--spawn-agents', '*,claude,scripted'];
  const inside = insideOf(world, boss);
  const kid = (await inside(['start', ...SCRIPTED, '--name', 'kid', ...wide, 'hello'])).stdout.trim();
  const within = insideOf(world, kid);
  expect((await within(['start', '--agent', 'claude', 'x'])).stderr).toContain(
    'kid may not start the agent claude (allowed: scripted)',
  );
  const leaf = (await within(['start', ...SCRIPTED, '--name', 'leaf', ...wide, 'hello'])).stdout.trim();
  expect(await within(['start', ...SCRIPTED, 'x'])).toMatchObject({ status: 0 });
  expect((await within(['start', ...SCRIPTED, 'x'])).stderr).toContain('kid has its maximum of live sessions (2/2)');
  expect((await insideOf(world, leaf)(['start', ...SCRIPTED, 'x'])).stderr).toContain('(current depth: 2, max: 2)');
  const richer = await inside(['start', ...SCRIPTED, '--spawn-usd', '500', 'x']);
  expect(richer).toMatchObject({ status: 4, stderr: expect.stringContaining('a tree of sessions has one budget') });
  expect((await inside(['start', ...SCRIPTED, '--spawn-depth', '99', 'x'])).stderr).toMatch(/depthMax.*10/);
});

test('a resumed session waits for a slot as a new one does', async () => {
  await using world = new SpawnWorld({ config: { spawn: { concurrentMax: 1 } } });
  await world.start();
  const boss = await world.startAgent([{ text: 'hi' }], '--name', 'boss');
  const inside = insideOf(world, boss);
  await inside(['spawn', ...SCRIPTED, '--name', 'old', 'hello']);
  await world.person(['wait', 'old', '--for', 'ended']);
  const busy = JSON.stringify({ steps: LASTING });
  await inside(['spawn', ...SCRIPTED, '--name', 'busy', `SCRIPT${busy}SCRIPT`]);
  await world.client.wait({ session: 'busy', for: 'event:prompt.accepted', after: 0, timeoutMs: 20_000 });
  expect(await inside(['resume', 'old'])).toMatchObject({ status: 0 });
  await inside(['prompt', 'old', 'again', '--no-wait']);
  const waits = await world.client.wait({ session: 'old', for: 'event:prompt.sending', timeoutMs: 1_000 });
  expect(waits).toMatchObject({ met: 'nothing', session: { run: 1 } });
  await world.person(['stop', 'busy']);
  await world.client.wait({ session: 'old', for: 'event:prompt.answered', timeoutMs: 20_000 });
  expect((await world.find('old')).run).toBe(2);
});

test('removed sessions still count toward the budget, and no session can resume beyond it', async () => {
  await using world = new SpawnWorld({ config: { spawn: { budget: { turns: 2 } } } });
  await world.start();
  const boss = await world.startAgent([{ text: 'hi' }], '--name', 'boss');
  await world.settled(boss, 1);
  const inside = insideOf(world, boss);
  await inside(['spawn', ...SCRIPTED, '--no-wake', '--name', 'gone', 'hello']);
  await world.person(['wait', 'gone', '--for', 'ended']);
  expect(await inside(['remove', 'gone', '--force'])).toMatchObject({ status: 0 });
  const spent = 'the tree of boss has used up its budget of 2 turns';
  expect((await inside(['spawn', ...SCRIPTED, 'x'])).stderr).toContain(spent);
  await world.person(['prompt', 'boss', 'go on', '--no-wait']);
  await world.client.wait({ session: boss, for: 'held', timeoutMs: 20_000 });
  expect((await inside(['resume', 'boss'])).stderr).toContain('boss cannot resume boss; a person can');
  expect((await world.find('boss')).phase).toBe('held');
  expect(await world.person(['resume', 'boss'])).toMatchObject({ status: 0 });
});

test('neither the end nor the removal of an owner frees a session from its tree', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const boss = await world.startAgent([{ text: 'hi' }], '--name', 'boss');
  const inside = insideOf(world, boss);
  const kid = (await inside(['spawn', ...SCRIPTED, '--keep-open', '--on-end', 'up', 'hello'])).stdout.trim();
  await world.settled(kid, 1);
  await world.person(['stop', 'boss']);
  await world.person(['remove', 'boss', '--force']);
  expect((await world.find(kid)).owner).toMatchObject({ session: boss, root: boss, depth: 1 });
  const deeper = await insideOf(world, kid)(['start', ...SCRIPTED, 'x']);
  expect(deeper.stderr).toContain('may not start sessions at its depth (current depth: 1, max: 1)');
  const left = await inside(['start', ...SCRIPTED, 'x']);
  expect(left).toMatchObject({ status: 4, stderr: expect.stringContaining('boss was removed; its leftover') });
  expect((await inside(['stop', kid])).status).toBe(0);
});
