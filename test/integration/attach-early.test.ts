import { afterAll, expect, test } from 'vitest';
import { makeWorld } from '../world.ts';

const world = await makeWorld({ config: { runsMax: 1 } });
afterAll(() => world[Symbol.asyncDispose]());

test.each(['pty', 'tmux'] as const)('T-ATTACH-1: attaching to a %s that is not open yet waits', async (terminal) => {
  const first = await world.client.start({ argv: ['sleep', '1000'] });
  const second = await world.client.start({ argv: ['sleep', '1000'], terminal });
  const attaching = world.client.attach({ session: second.id });
  await first.stop({ force: true });
  expect((await attaching).argv.length).toBeGreaterThan(2);
  await second.stop({ force: true });
});
