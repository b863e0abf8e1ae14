import { expect, test } from 'vitest';
import { AIDER_ENTRY, shownIn, started, worldWith } from '../any-cli/world.ts';
import { eventually } from '../eventually.ts';
import type { World } from '../world.ts';

const AGENT = ['--agent', 'mine'] as const;

async function replyOf(world: World, id: string): Promise<string> {
  const replied = async (): Promise<string | null> => JSON.parse(await shownIn(world, id, 'idle')).reply;
  return eventually(replied, { what: 'a reply', msMax: 30_000 });
}

test.concurrent('agents test proves a program with turns, a history file and a screen', async () => {
  await using world = await worldWith({ mine: AIDER_ENTRY });
  const { status, stdout } = await world.cli(['agents', 'test', 'mine']);
  expect(stdout).not.toMatch(/^failed/m);
  for (const drive of ['turns', 'live '])
    for (const story of ['turn', 'conversation', 'restart', 'odd text', 'kill', 'interrupt', 'stop'])
      expect(stdout).toMatch(new RegExp(`^proven  ${drive}  ${story}:`, 'm'));
  expect(stdout).toMatch(/^proven {2}turns {2}usage:/m);
  expect(status).toBe(0);
});

test.concurrent('a prompt that was typed once before is typed again, and gets its own answer', async () => {
  await using world = await worldWith({ mine: AIDER_ENTRY });
  const id = await started(world, [...AGENT, '--live', '--workspace', world.state, 'again']);
  expect(await replyOf(world, id)).toBe('prompt 1: again');
  expect((await world.cli(['converse', id, 'again'])).stdout.trim()).toBe('prompt 2: again');
  const { stdout } = await world.cli(['turn', id]);
  expect(stdout).toContain('prompt 2: again');
});

test.concurrent('the same prompt again that is killed is not taken for answered', async () => {
  await using world = await worldWith({ mine: AIDER_ENTRY });
  const id = await started(world, [...AGENT, '--workspace', world.state, 'slow']);
  expect(await replyOf(world, id)).toContain('prompt 1: slow');
  await world.cli(['prompt', id, 'slow']);
  const { pid } = await eventually(() => workingPid(world, id), { what: 'a process', msMax: 30_000 });
  process.kill(pid, 'SIGKILL');
  const answered = async () => ((await replyOf(world, id)).includes('You were interrupted') ? true : null);
  await eventually(answered, { what: 'a turn that was continued', msMax: 60_000 });
});

test.concurrent('a question on the screen holds the session until a person has answered it', async () => {
  await using world = await worldWith({ mine: AIDER_ENTRY });
  const id = await started(world, [...AGENT, '--live', '--workspace', world.state]);
  await shownIn(world, id, 'idle');
  await world.cli(['prompt', id, 'ask me']);
  expect(await shownIn(world, id, 'held')).toContain('it asks: Add the file to the chat? (Y)es/(N)o');
  expect((await world.cli(['stop', id])).status).toBe(0);
});

async function workingPid(world: World, id: string): Promise<{ pid: number } | null> {
  const { stdout } = await world.cli(['show', id, '--json']);
  const { processes, session } = JSON.parse(stdout) as { processes: { pid: number }[]; session: { phase: string } };
  return session.phase === 'working' ? (processes[0] ?? null) : null;
}
