import { expect, test } from 'vitest';
import { SpawnWorld, shell } from './spawning.ts';

// What a spawn may ask for: a model, a level of thinking, a deadline, what becomes of it.

const said = '>>said 2>&1; echo "status $?" >>said';

test('a model or a level of thinking that nobody knows is refused with the choices', async () => {
  await using world = new SpawnWorld();
  await world.start();
  const steps = [
    shell(`outlast spawn --agent scripted --model gpt-4 hello ${said}`),
    shell(`outlast spawn --agent scripted --thinking hard hello ${said}`),
    shell(`outlast spawn --agent scripted --model opus --thinking high --name kid hello ${said}`),
  ];
  const owner = await world.begin(steps);
  await world.settled(owner, 1);
  const text = world.file('said');
  expect(text).toContain('there is no model "gpt-4"; there are: opus, sonnet, haiku,');
  expect(text).toContain(
    'there is no level of thinking "hard"; use one of: off, minimal, low, medium, high, xhigh, max',
  );
  expect(text.match(/status \d/g)).toEqual(['status 2', 'status 2', 'status 0']);
  const { sessions } = await world.client.list({ below: owner });
  expect(sessions).toMatchObject([{ name: 'kid', model: 'claude-opus-4-6', thinking: 'high' }]);
});
