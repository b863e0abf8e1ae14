import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { SpawnWorld, shell, storyOf } from './spawning.ts';

interface Sum {
  readonly sessions: readonly { readonly name: string; readonly state: string; readonly why: string | null }[];
}

test('an agent that may own two sessions runs a batch of six; only those that it may not start fail', async () => {
  await using world = new SpawnWorld();
  await world.start();
  mkdirSync(world.workspace, { recursive: true });
  const part = { each: ['a', 'b', 'c', 'd', 'e', 'f'], prompt: 'Do {{each}}.' };
  const batch = { defaults: { agent: 'scripted' }, sessions: { part, other: { agent: 'claude', prompt: 'x' } } };
  writeFileSync(join(world.workspace, 'six.json'), JSON.stringify(batch));
  const steps = [shell('outlast batch six.json --json > sum.json'), { text: 'done' }];
  const limits = ['--spawn-children', '2', '--spawn-agents', 'scripted'];
  const session = await world.startAgent(steps, '--end', ...limits);
  await world.client.wait({ session, for: 'ended', timeoutMs: 60_000 });
  const { sessions } = JSON.parse(readFileSync(join(world.workspace, 'sum.json'), 'utf8')) as Sum;
  const [other, ...parts] = sessions.toSorted((one, two) => (one.name < two.name ? -1 : 1));
  expect(parts.map(({ state, why }) => why ?? state)).toEqual(Array(6).fill('answered'));
  expect(other).toMatchObject({ state: 'failed', why: expect.stringContaining('may not start the agent claude') });
});

test('no session with a new prompt is started while the one with the old prompt runs', async () => {
  await using world = new SpawnWorld();
  await world.start();
  mkdirSync(world.workspace, { recursive: true });
  const write = (prompt: string): void => {
    const batch = { defaults: { agent: 'scripted' }, sessions: { a: { prompt }, b: { prompt: '{{a.reply}}' } } };
    writeFileSync(join(world.workspace, 'words.json'), JSON.stringify(batch));
  };
  const run = () => world.person(['batch', 'words.json']);
  write(storyOf([shell('sleep 1000')]));
  const first = run();
  await eventually(async () => (await world.client.list()).sessions.some(({ name }) => name === 'words-a'));
  write('Something else.');
  const second = await run();
  expect([second.status, second.stderr]).toEqual([8, expect.stringMatching(/is live; .* outlast stop words-a\n/)]);
  await world.client.stop({ session: 'words-a', force: true });
  expect((await first).status).toBe(4);
  expect((await run()).stdout).toContain('2 answered;');
});
