import { expect, test } from 'vitest';
import { SpawnWorld, shell, storyOf } from './spawning.ts';

test('a child that an agent spawns belongs to it, and its end is a prompt of the owner, once', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const owner = await world.begin([
    shell("outlast spawn --agent scripted --name kid 'hello there'"),
    { text: 'spawned' },
  ]);
  await world.settled(owner, 2);
  const kid = await world.find('kid');
  expect(kid).toMatchObject({ phase: 'ended', owner: { session: owner, root: owner, depth: 1, wake: true } });
  const [, news = ''] = await world.prompts(owner);
  expect(news).toContain(kid.id);
  expect(news).toContain('You said: hello there');
  expect(news).toContain(`outlast turn ${kid.id}`);
  await world.restart();
  await world.settled(owner, 2);
  expect(await world.prompts(owner)).toHaveLength(2);
});
