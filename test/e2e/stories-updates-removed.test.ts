import { expect, test } from 'vitest';
import { SpawnWorld, shell } from './spawning.ts';

test.each([
  { how: 'removes', command: 'outlast process remove' },
  { how: 'stops', command: 'outlast stop' },
])('an owner that $how what it started gets no update about its end', async ({ command }) => {
  await using world = new SpawnWorld();
  await world.start();
  const startCommand = 'id=$(outlast exec --background --wake -- sleep 1000)';
  const owner = await world.startAgent([shell(`${startCommand}; ${command} "$id"`), { text: 'ok' }]);
  await world.settled(owner, 1);
  // Updates are delivered in the order of the journal: those of the other one come after.
  await world.person(['prompt', owner, SECOND]);
  await world.settled(owner, 3);
  const [, second, update = ''] = await world.prompts(owner);
  expect(second).toBe(SECOND);
  expect(update).toContain('exit 7');
  expect(update.match(/^- /gm)).toHaveLength(1);
});

const SECOND = `SCRIPT${JSON.stringify({
  steps: [shell('outlast exec --background --wake -- sh -c "exit 7"'), { text: 'ok' }],
})}SCRIPT`;
