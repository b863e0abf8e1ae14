import { expect, test } from 'vitest';
import { bash, gatedWorld, person } from './gated.ts';
import { pathWithOutlast } from './live.ts';
import { storyOf } from './spawning.ts';

test('what an agent behind a gate spawns is behind it too, and is not let out by what the agent says', async () => {
  await using world = await gatedWorld();
  const ann = person(world, 'ann');
  const path = `PATH='${pathWithOutlast(world)}'; export PATH;`;
  const story = Buffer.from(storyOf([bash('echo x > out.txt')])).toString('base64');
  const spawn = (words: string): object =>
    bash(`${path} echo ${story} | base64 -d | outlast spawn --agent scripted ${words} - >>said 2>&1`);
  const steps = [spawn("--gate --allow 'Bash(*)'"), spawn('--no-gate'), spawn('--trust'), spawn('--name kid')];
  const owner = await ann.start(steps, '--gate', '--name', 'held', '--ask-timeout', '60s');
  for (const _ of steps) await ann.cli(['approve', (await ann.asked(owner)).id]);
  const { id: question, tool } = await ann.asked('kid');
  expect(tool).toBe('Bash');
  expect((await world.client.show('kid')).session).toMatchObject({ gate: 'gate', owner: { session: owner } });
  expect(ann.file('said')?.match(/held is behind a gate/g)).toHaveLength(3);
  expect(ann.file('out.txt')).toBeNull();
  await ann.cli(['deny', question]);
  await ann.over('kid');
  expect(ann.file('out.txt')).toBeNull();
});
