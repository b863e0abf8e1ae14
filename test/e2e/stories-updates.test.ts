import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { SpawnWorld, shell, storyOf } from './spawning.ts';

/** A command that ends when its file exists, with a line and a status. */
const untilGo = (name: string, options: string): object =>
  shell(
    `outlast exec -b --name ${name} ${options} -c 'until [ -e go-${name} ]; do sleep 0.02; done; echo bye; exit 3'`,
  );

const go = (world: SpawnWorld, name: string): void => writeFileSync(join(world.workspace, `go-${name}`), '');

const count = async (world: SpawnWorld, session: string, type: string): Promise<number> =>
  (await world.events(session)).filter((each) => each === type).length;

test('the end of a background command wakes its owner, with its status and its last lines', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const owner = await world.startAgent([untilGo('build', '--wake'), { text: 'waiting' }]);
  await world.settled(owner, 1);
  const { id } = await world.find('build');
  go(world, 'build');
  await world.settled(owner, 2);
  const [, update = ''] = await world.prompts(owner);
  for (const words of [id, 'exit 3', '| bye', `outlast output ${id}`]) expect(update).toContain(words);
});

test('an end while the daemon is down is delivered once when it is back', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const owner = await world.startAgent([untilGo('a', '--wake'), untilGo('b', '--wake'), { text: 'waiting' }]);
  await world.settled(owner, 1);
  await world.kill();
  go(world, 'a');
  go(world, 'b');
  await world.start();
  await eventually(async () => (await count(world, owner, 'update.queued')) === 2, { what: 'two wakes' });
  await world.restart();
  await eventually(async () => (await world.find(owner)).prompts.length === 0, { what: 'the delivery to the owner' });
  await world.settled(owner, 2);
  expect(await count(world, owner, 'update.queued')).toBe(2);
  const update = (await world.prompts(owner)).slice(1).join('\n');
  for (const name of ['a', 'b']) expect(update.match(new RegExp(`\\(${name}\\) \\[`, 'g'))).toHaveLength(1);
});

test('an owner that cannot be read does not delay the updates of others', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const bad = await world.startAgent([untilGo('a', '--wake'), { text: 'waiting' }]);
  const good = await world.startAgent([untilGo('b', '--wake'), { text: 'waiting' }]);
  for (const owner of [bad, good]) await world.settled(owner, 1);
  await world.kill();
  const db = new DatabaseSync(join(world.state, 'outlast.db'));
  const spoilt = db.prepare(`UPDATE events SET body = '{"type":' WHERE session = ? AND seq = 2`).run(bad);
  expect(spoilt.changes).toBe(1);
  db.close();
  await world.start();
  await eventually(async () => (await world.find(bad)).phase === 'held', { what: 'a held session' });
  go(world, 'a');
  await eventually(async () => (await world.find('a')).phase === 'ended', { what: 'the end of its command' });
  go(world, 'b');
  await world.settled(good, 2);
  expect((await world.prompts(good))[1]).toContain('exit 3');
});

test('a reader that lost its position delivers nothing twice', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const owner = await world.startAgent([untilGo('a', '--wake'), untilGo('b', '--wake'), { text: 'waiting' }]);
  await world.settled(owner, 1);
  go(world, 'a');
  await world.settled(owner, 2);
  await world.kill();
  const db = new DatabaseSync(join(world.state, 'outlast.db'));
  expect(db.prepare("UPDATE cursors SET position = 0 WHERE reader = 'wakes'").run().changes).toBe(1);
  db.close();
  await world.start();
  go(world, 'b');
  await world.settled(owner, 3);
  const update = (await world.prompts(owner)).slice(1);
  expect(update.map((text) => /\((\w)\) \[/.exec(text)?.[1])).toEqual(['a', 'b']);
  expect(await count(world, owner, 'update.queued')).toBe(2);
});

test('updates that no tool of the turn delivers come before the next prompt', async () => {
  await using world = new SpawnWorld();
  await world.start();
  world.setFaults({ silent: ['PostToolUse'] });
  const owner = await world.startAgent([
    untilGo('quiet', ''),
    untilGo('loud', '--wake'),
    shell('until [ -e on ]; do sleep 0.02; done'),
  ]);
  await eventually(async () => (await world.client.list({ below: owner })).sessions.length === 2);
  go(world, 'quiet');
  go(world, 'loud');
  await eventually(async () => (await count(world, owner, 'update.queued')) === 2, { what: 'two wakes' });
  expect(await count(world, owner, 'update.delivered')).toBe(0);
  await world.person(['prompt', owner, '--no-wait', 'what is new?']);
  writeFileSync(join(world.workspace, 'on'), '');
  await world.settled(owner, 2);
  const [, text = '', ...more] = await world.prompts(owner);
  expect(text).toMatch(/^\[outlast\] Updates from sessions[\s\S]*\[end of updates\]\n\nwhat is new\?$/);
  expect(more).toEqual([]);
});

test('updates without --wake start no turn', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const owner = await world.startAgent([untilGo('quiet', ''), { text: 'ok' }]);
  await world.settled(owner, 1);
  go(world, 'quiet');
  await eventually(async () => (await count(world, owner, 'update.queued')) === 1);
  await world.person(['prompt', owner, '--no-wait', 'hello']);
  await world.settled(owner, 2);
  expect((await world.prompts(owner))[1]).toMatch(/\(quiet\)[\s\S]*\n\nhello$/);
});

test('a session that waits for its child does not end before its update, and the child may be removed', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const child = storyOf([shell('until [ -e go ]; do sleep 0.02; done'), { text: 'the whole reply' }]);
  const spawn = shell(`outlast spawn --agent scripted --name kid --cleanup delete '${child}'`);
  const owner = await world.startAgent([spawn, { text: 'spawned' }], '--end');
  await world.settled(owner, 1);
  expect((await world.find(owner)).phase).toBe('idle');
  writeFileSync(join(world.workspace, 'go'), '');
  await eventually(async () => (await world.find(owner)).phase === 'ended', { what: 'the end of the owner' });
  expect((await world.prompts(owner))[1]).toMatch(/\(kid\)[\s\S]*the whole reply[\s\S]*It is removed/);
  await expect(world.find('kid')).rejects.toMatchObject({ code: 'session_not_found' });
});

test('an update that an update led to is counted, and a loop of them is stopped', async () => {
  await using world = new SpawnWorld();
  await world.start();
  // Its output is in the update: each turn that the update starts runs the same again.
  const again = storyOf([shell('outlast exec -b --wake -- cat again')]);
  const owner = await world.startAgent([
    shell(`cat >again <<'END'\n${again}\nEND\noutlast exec -b --wake -- cat again`),
  ]);
  await eventually(async () => (await count(world, owner, 'update.suppressed')) === 1, {
    what: 'a stop',
    msMax: 60_000,
  });
  await world.settled(owner, 11);
  expect(await count(world, owner, 'update.delivered')).toBe(10);
  rmSync(join(world.workspace, 'again'));
  await world.person(['prompt', owner, '--no-wait', 'hello']);
  await world.settled(owner, 12);
  expect((await world.prompts(owner))[11]).toMatch(/^\[outlast\][\s\S]*hello$/);
}, 90_000);

test('a child sends its owner a message, and one without an owner is refused', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const child = Buffer.from(storyOf([shell('outlast tell "half of it"'), shell('sleep 1000')])).toString('base64');
  const owner = await world.startAgent([
    shell(`echo ${child} | base64 -d | outlast spawn --agent scripted --name kid -`),
  ]);
  await world.settled(owner, 2);
  const { id } = await world.find('kid');
  expect((await world.prompts(owner))[1]).toMatch(new RegExp(`${id} \\(kid\\) \\[\\d+\\] says:\n {2}\\| half of it\n`));
  const outside = await world.person(['tell', 'hello']);
  expect(outside).toMatchObject({ status: 4 });
  expect(outside.stderr).toContain('this shell is not in a session');
});

test('an owner that has waited for an end itself gets no update about it', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const owner = await world.startAgent([untilGo('build', '--wake'), shell('outlast wait build >waited; true')]);
  await eventually(async () => (await world.client.list({ below: owner })).sessions.length === 1);
  go(world, 'build');
  await world.settled(owner, 1);
  expect(readFileSync(join(world.workspace, 'waited'), 'utf8')).toContain('build: exit 3');
  await world.person(['converse', owner, 'hello']);
  expect((await world.prompts(owner))[1]).toBe('hello');
  expect(await count(world, owner, 'update.delivered')).toBe(0);
});

test.each(['output', 'show', 'process poll'])(
  'what only the owner reads with %s is dropped as an update',
  async (read) => {
    await using world = new SpawnWorld();
    await world.start();
    world.setFaults({ silent: ['PostToolUse'] });
    const owner = await world.startAgent([untilGo('one', ''), untilGo('two', ''), { text: 'ok' }]);
    await world.settled(owner, 1);
    go(world, 'one');
    go(world, 'two');
    await eventually(async () => (await count(world, owner, 'update.queued')) === 2, { what: 'two wakes' });
    // A read by another caller does not count for the owner.
    await world.person([...read.split(' '), 'two']);
    const inside = { OUTLAST_RUN: `${owner}.1` };
    // And reading its output is not reading its end.
    const waited = await world.person(['wait', 'one', '--for', 'text:bye', '--since', '0'], inside);
    expect(waited.stdout).toBe('bye\n');
    expect(await count(world, owner, 'update.read')).toBe(0);
    await world.person([...read.split(' '), 'one'], inside);
    expect(await count(world, owner, 'update.read')).toBe(1);
    await world.restart();
    await world.person(['prompt', owner, '--no-wait', 'hello']);
    await world.settled(owner, 2);
    expect((await world.prompts(owner))[1]).toMatch(/^\[outlast\] Updates from a session [\s\S]*\(two\)[\s\S]*hello$/);
    expect((await world.prompts(owner))[1]).not.toContain('(one)');
  },
);
