import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { SpawnWorld, shell, storyOf } from './spawning.ts';

/** A step that spawns a scripted agent; its output goes into a file of the workspace. */
const spawns = (words: string, steps: readonly object[]): object => {
  // Scripts are nested: quotes within quotes would need more and more escaping.
  const story = Buffer.from(storyOf(steps)).toString('base64');
  const line = `echo ${story} | base64 -d | outlast spawn --agent scripted ${words} -`;
  return shell(`${line} >>said 2>&1; echo "status $?" >>said`);
};

const output = (world: SpawnWorld): string => world.file('said');

/** A child that works until it is stopped. */
const LASTING = [shell('sleep 1000')];

test('a child that an agent spawns belongs to it, and its end is a prompt of the owner, once', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const owner = await world.startAgent([
    shell("outlast spawn --agent scripted --name kid 'hello there'"),
    { text: 'ok' },
  ]);
  await world.settled(owner, 2);
  const kid = await world.find('kid');
  expect(kid).toMatchObject({ phase: 'ended', owner: { session: owner, root: owner, depth: 1, wake: true } });
  const [, update = ''] = await world.prompts(owner);
  expect(update).toMatch(new RegExp(`- ${kid.id} \\(kid\\) \\[\\d+\\]: scripted "hello there" ended: done, `));
  expect(update).toContain('You said: hello there');
  expect(update).toContain(`outlast turn ${kid.id}`);
  await world.restart();
  await world.settled(owner, 2);
  expect(await world.prompts(owner)).toHaveLength(2);
  const tree = (await world.person(['list', '--tree'])).stdout.split('\n');
  expect(tree.slice(1, 3).map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
    [owner.slice(0, 12), 'idle'],
    ['', 'kid'],
  ]);
  expect((await world.person(['show', 'kid'])).stdout).toContain(`${owner}; at depth 1, stopped when that ends`);
  expect((await world.person(['report', 'kid'])).stdout).toContain(`, started by \`${owner}\``);
});

test('a child may start none, too many and other agents are refused, and an end makes room', async () => {
  await using world = new SpawnWorld({ config: { spawn: { childrenMax: 1, agents: ['scripted'] } } });
  await world.start();
  const steps = [
    spawns('--name first', [spawns('--name deep', LASTING), ...LASTING]),
    spawns('--name second', LASTING),
    shell('outlast spawn --agent claude x >>said 2>&1'),
    shell('outlast start --agent scripted x >>said 2>&1'),
    shell('outlast exec -c "outlast start --agent scripted x" >>said 2>&1'),
    shell('outlast stop first && outlast wait first --for ended; true'),
    spawns('--name third', LASTING),
  ];
  const owner = await world.startAgent(steps, '--name', 'boss');
  await eventually(() => output(world).match(/status/g)?.length === 4, { what: 'four answers', msMax: 30_000 });
  await world.settled(owner, 1);
  const text = output(world);
  expect(text).toContain('first may not start sessions at its depth (current depth: 1, max: 1)');
  expect(text.match(/boss has its maximum of live sessions \(1\/1\)/g)?.length).toBeGreaterThanOrEqual(3);
  const { sessions } = await world.client.list({ below: owner });
  const agents = sessions.filter(({ drive }) => drive !== 'command');
  expect(agents.map(({ name }) => name).toSorted()).toEqual(['first', 'third']);
  const outside = await world.person(['spawn', '--agent', 'scripted', 'x']);
  expect(outside).toMatchObject({ status: 4 });
  expect(outside.stderr).toContain('spawn works only inside an Outlast session');
  await world.person(['stop', 'third', owner]);
});

test('an agent that is not allowed is refused with a reason', async () => {
  await using world = new SpawnWorld();
  await world.start();
  await world.startAgent([spawns('', LASTING)], '--name', 'boss', '--spawn-agents', 'claude,codex');
  await eventually(() => output(world).includes('status'), { what: 'an answer' });
  expect(output(world)).toMatch(/boss may not start the agent scripted \(allowed: claude, codex\)[\s\S]*status 4/);
});

test('an owner steers and stops its own sessions, and no other session can', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const other = await world.startAgent([{ text: 'hi' }], '--name', 'other');
  await world.settled(other, 1);
  const steps = [
    shell('outlast prompt other "do it" >>said 2>&1; outlast stop other >>said 2>&1'),
    spawns('--name kid --keep-open', [{ text: 'ready' }]),
    shell('outlast prompt kid "and now" --no-wait && outlast wait kid --for reply >>said 2>&1'),
    shell('outlast list --mine >>said; outlast stop kid'),
  ];
  const owner = await world.startAgent(steps, '--name', 'boss');
  await world.settled(owner, 1);
  expect(output(world).match(/other is not a session that boss started/g)).toHaveLength(2);
  expect(output(world)).toContain('You said: and now');
  expect(output(world)).toMatch(/SESSION[\s\S]*kid/);
  expect((await world.find('other')).phase).toBe('idle');
  const kid = await eventually(async () => {
    const view = await world.find('kid');
    return view.phase === 'ended' && view;
  });
  expect(kid.outcome).toEqual({ kind: 'stopped', by: 'its owner' });
});

test('when an owner is stopped, its sessions are stopped, kept, or handed up', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const inner = [
    spawns('--name stops', LASTING),
    spawns('--name stays --on-end keep', LASTING),
    spawns('--name rises --on-end up', LASTING),
  ];
  const root = await world.startAgent([spawns('--name middle', [...inner, ...LASTING])], '--spawn-depth', '2');
  await eventually(async () => (await world.client.list({ below: root })).sessions.length === 4, {
    what: 'four sessions',
    msMax: 20_000,
  });
  const middle = await world.find('middle');
  await world.person(['stop', 'middle']);
  await eventually(async () => (await world.find('stops')).phase === 'ended');
  expect((await world.find('stops')).outcome).toEqual({ kind: 'stopped', by: 'the end of its owner' });
  const rises = await eventually(async () => {
    const view = await world.find('rises');
    return view.owner?.session === root && view;
  });
  expect(rises).toMatchObject({ phase: 'working', owner: { depth: 1 } });
  expect(await world.find('stays')).toMatchObject({ phase: 'working', owner: { session: middle.id } });
});

test('a limited number of spawned sessions run at once, and the others wait for a slot', async () => {
  await using world = new SpawnWorld({ config: { spawn: { concurrentMax: 1 } } });
  await world.start();
  const owner = await world.startAgent([spawns('--name a', LASTING), spawns('--name b', [{ text: 'b was here' }])]);
  await world.settled(owner, 1);
  await eventually(async () => (await world.find('a')).run === 1);
  expect(await world.find('b')).toMatchObject({ phase: 'idle', run: 0 });
  await world.person(['stop', 'a']);
  await eventually(async () => (await world.find('b')).phase === 'ended', { what: 'the end of b' });
});

test('a tree that has used up its budget starts nothing more, and is held until a person resumes it', async () => {
  await using world = new SpawnWorld({ config: { spawn: { budget: { turns: 1 } } } });
  await world.start();
  const steps = [
    spawns('--name first --no-wake', [{ text: 'one turn' }]),
    shell('outlast wait first --for ended'),
    spawns('--name second', [{ text: 'another' }]),
  ];
  await world.startAgent(steps, '--name', 'boss');
  await world.settled('boss', 1);
  await world.person(['prompt', 'boss', '--no-wait', 'go on']);
  const held = await eventually(async () => {
    const view = await world.find('boss');
    return view.phase === 'held' && view;
  });
  expect(output(world)).toContain('outlast: the tree of boss has used up its budget of 1 turn');
  expect(held.held).toContain('the tree of boss has used up its budget of 1 turn');
  await world.person(['resume', 'boss']);
  await world.settled('boss', 2);
  await expect(world.find('second')).rejects.toMatchObject({ code: 'session_not_found' });
});
