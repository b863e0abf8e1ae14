import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { times } from '../campaign.ts';
import { World } from '../world.ts';

/** The delay of every sync of the daemon. */
const SLOW_MS = times(300, 1_000);

test('T-SLOW-1: on a slow disk everything runs once, ends correctly, and nothing counts as a hang', {
  timeout: 120_000,
}, async () => {
  const slow = ['-e', 'trace=fsync,fdatasync', '-e', `inject=fsync,fdatasync:delay_enter=${SLOW_MS * 1_000}`];
  await using world = new World({ wrap: ['strace', '-f', '-qq', '-o', '/dev/null', ...slow] });
  await world.start(60_000);
  const ran = join(world.state, 'ran');
  const hang = { thinkMsMax: SLOW_MS * 4, toolMsMax: SLOW_MS * 4 };
  const agent = await world.client.start({ agent: 'scripted', prompt: 'hello', keepOpen: false, policy: { hang } });
  const commands = await Promise.all(
    [0, 3].map((status) => world.client.start({ argv: ['sh', '-c', `echo x >>'${ran}'; exit ${status}`] })),
  );
  const ends = await Promise.all([agent, ...commands].map((session) => session.wait({ timeoutMs: 100_000 })));
  expect(ends.map(({ session }) => session.outcome?.kind)).toEqual(['done', 'done', 'done']);
  expect(ends.slice(1).map(({ session }) => session.exit?.status)).toEqual([0, 3]);
  expect(readFileSync(ran, 'utf8')).toBe('x\nx\n');
  expect((await agent.turn()).markdown).toContain('You said: hello');
  const types = await world.events(agent.id);
  expect(types.filter((type) => type === 'run.starting' || type === 'run.faulted')).toEqual(['run.starting']);
});
