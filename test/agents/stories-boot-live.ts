import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { kill as killProcess } from '../kill.ts';
import { type ForeignAgent, runBoot, verdictOf } from './foreign.ts';
import type { Stage, Stories, Story } from './stage.ts';
import { script } from './story-text.ts';

/** Starts the agent on a screen, as a person would, and sends it a prompt. To Outlast it is an ordinary command. */
async function startByHand(
  stage: Stage,
  prompt: string,
  mode: string,
): Promise<Pick<ForeignAgent, 'id' | 'kill' | 'text'>> {
  const id = randomUUID();
  const [program, ...words] = stage.agent.argv(stage.root);
  const args = ['--session-id', id, '--model', 'claude-sonnet-4-6', '--permission-mode', mode];
  const { world, env, workspace: cwd } = stage;
  const screen = await world.client.start({ argv: [program, ...words, ...args], terminal: 'pty', cwd, env });
  const text = (): string =>
    stage
      .transcripts(id)
      .map((path) => readFileSync(path, 'utf8'))
      .join('');
  await eventually(async () => (await screen.screen()).rows.some((row) => row.includes('❯')), { msMax: 30_000 });
  await world.client.write({ session: screen.id, paste: prompt });
  // An Enter right after the start may be lost; an extra one does no harm.
  await eventually(
    async () => {
      await world.client.write({ session: screen.id, keys: ['Enter'] });
      return eventually(() => text().includes('SCRIPT'), { msMax: 2_000 });
    },
    { msMax: 30_000 },
  );
  const kill = async (): Promise<void> => {
    killProcess((await screen.show()).session.pid);
    await screen.waitFor('exit', { timeoutMs: 10_000 });
  };
  return { id, kill, text };
}

const liveStory: Story = async (open) => {
  const stage = await open();
  const agent = await startByHand(stage, script({ delayMs: 4_000, text: 'here again' }), 'acceptEdits');
  expect(await verdictOf(stage, agent.id)).toMatchObject({ verdict: 'alive' });
  await agent.kill();
  const { conversations } = await runBoot(stage, { resume: ['all'] });
  expect(conversations).toMatchObject([{ id: agent.id, verdict: 'interrupted', did: 'resumed' }]);
  const session = conversations[0]?.session ?? '';
  const { met, reply, session: now } = await stage.world.client.reply({ session, timeoutMs: 40_000 });
  expect([met, reply, now.drive, now.phase]).toEqual(['answered', 'here again', 'live', 'idle']);
  const words = readFileSync(`/proc/${now.pid}/cmdline`, 'utf8').split('\0');
  expect(words[words.indexOf('--permission-mode') + 1]).toBe('acceptEdits');
  expect(words).toContain(agent.id);
};

const askedStory: Story = async (open) => {
  const stage = await open();
  const touch = { tool: 'Bash', input: { command: 'touch asked-for', description: 'x' } };
  const agent = await startByHand(stage, script(touch, { text: 'touched' }), 'default');
  await eventually(() => agent.text().includes('"tool_use"'), { msMax: 20_000 });
  const states = join(stage.config, 'sessions');
  const isAsking = (name: string): boolean => /"waiting"/.test(readFileSync(join(states, name), 'utf8'));
  await eventually(() => readdirSync(states).some(isAsking), { msMax: 20_000 });
  await agent.kill();
  expect(await verdictOf(stage, agent.id)).toMatchObject({ verdict: 'waiting' });
  const { conversations } = await runBoot(stage, { resume: ['all'] });
  expect(conversations.map(({ did }) => did)).toEqual(['nothing']);
};

/** Conversations of a person on a screen. */
export const BOOT_LIVE: Stories = {
  'an agent killed on a screen is resumed on a screen, with the same permission mode': liveStory,
  'an agent killed while it asks a person something is not resumed': askedStory,
};
