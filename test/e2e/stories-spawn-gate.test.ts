import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bash, gatedWorld, person } from './gated.ts';
import { pathWithOutlast } from './live.ts';
import { storyOf } from './spawning.ts';

test('what an agent behind a gate spawns is behind it too, whatever the agent claims', async () => {
  await using world = await gatedWorld();
  const ann = person(world, 'ann');
  const path = `PATH='${pathWithOutlast(world)}'; export PATH;`;
  const story = Buffer.from(storyOf([bash('echo x > out.txt')])).toString('base64');
  const spawn = (words: string): object =>
    bash(`${path} echo ${story} | base64 -d | outlast spawn --agent scripted ${words} - >>said 2>&1`);
  const wide = ["--gate --allow 'Bash(*)'", '--no-gate', '--trust', '--command', '--agent-arg --verbose'];
  const steps = [...wide.map(spawn), spawn('--name kid')];
  const owner = await ann.start(steps, '--gate', '--name', 'held', '--ask-timeout', '60s');
  for (const _ of steps) await ann.cli(['approve', (await ann.pendingApproval(owner)).id]);
  const { id: question, tool } = await ann.pendingApproval('kid');
  expect(tool).toBe('Bash');
  expect((await world.client.show('kid')).session).toMatchObject({ gate: 'gate', owner: { session: owner } });
  expect(ann.file('said')?.match(/held is behind a gate/g)).toHaveLength(wide.length);
  expect(ann.file('out.txt')).toBeNull();
  // Neither an approval nor a key from the owner lets it through: the owner could not do that itself.
  const inside = { OUTLAST_RUN: `${owner}.1` };
  const approved = await ann.cli(['approve', question], inside);
  expect(approved).toMatchObject({ status: 4, stderr: expect.stringContaining('held is itself behind a gate') });
  const typed = await ann.cli(['keys', 'kid', 'Enter'], inside);
  expect(typed).toMatchObject({ status: 4, stderr: expect.stringContaining('could answer a question by typing') });
  const shell = await ann.cli(['prompt', 'kid', '--command', '!touch out.txt', '--no-wait'], inside);
  expect(shell).toMatchObject({
    status: 4,
    stderr: expect.stringContaining('behind a gate and may not use --command'),
  });
  const self = await ann.cli(['prompt', 'held', '--command', '!touch out.txt', '--no-wait'], inside);
  expect(self.stderr).toContain('behind a gate and may not use --command');
  expect(await ann.cli(['deny', question], inside)).toMatchObject({ status: 0 });
  await ann.waitForEnd('kid');
  expect(ann.file('out.txt')).toBeNull();
});

test('rules do not apply in other folders, and what is watched is watched for as long', async () => {
  await using world = await gatedWorld();
  const ann = person(world, 'ann');
  mkdirSync(join(ann.workspace, 'part'));
  const begin = ['start', '--agent', 'scripted'];
  const owner = await ann.start([bash('true')], '--name', 'held', '--watch', '20s');
  const inside = (words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    ann.cli([...begin, ...words, 'hello'], { OUTLAST_RUN: `${owner}.1`, ...env });
  const outside = await inside(['--workspace', ann.home]);
  expect(outside.stderr).toContain(`may not start a session outside of its folder ${ann.workspace}`);
  const brief = await inside(['--watch', '1s']);
  expect(brief.stderr).toContain('a session that held starts must show its calls for as long as its owner does (20s)');
  const env = { CLAUDE_SESSION_DRIVER_APPROVAL_TIMEOUT: '1' };
  const kid = (await inside(['--workspace', join(ann.workspace, 'part')], env)).stdout.trim();
  const { session, policy } = await world.client.show(kid);
  expect([session.gate, policy.approvalMsMax]).toEqual(['watch', 20_000]);
  expect((await inside(['--no-gate'])).stderr).toContain('held is behind a gate (watch)');
});
