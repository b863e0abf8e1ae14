import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStage, type Stage } from '../agents/stage.ts';
import { claudeOf } from '../agents/under-test/claude.ts';
import { NEWEST_IN_TURNS, NEWEST_LIVE } from './newest.ts';

// A real Claude Code delegates to another one, ends its turn, gets an update about the end, and reads the other's turn.

const ROOT = join(import.meta.dirname, '../..');
const call = (name: string, input: object): object => ({ tool: `mcp__plugin_outlast_outlast__${name}`, input });
const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
const script = (steps: object[], woken: object[] = []): string => `SCRIPT${JSON.stringify({ steps, woken })}SCRIPT`;

const WORK = `Make it. ${script([bash('echo made > made-by-it'), { text: 'it is made' }])}`;

/** Waits for two replies of the owner, checks that it got one update from its own session, and returns the replies. */
async function repliesAfterOneUpdate(stage: Stage, owner: string): Promise<string[]> {
  await stage.waitForEvent(owner, 'prompt.answered', 2, 90_000);
  const answers = await stage.events(owner, 'prompt.answered');
  const worker = (await stage.world.client.show('worker')).session;
  expect(worker).toMatchObject({ agent: 'claude', phase: 'ended', owner: { session: owner, depth: 1 } });
  expect(await stage.eventNames(owner, 'update.delivered', 'prompt.unsure')).toEqual(['update.delivered']);
  // The other one works in the same workspace.
  expect(existsSync(join(stage.workspace, 'made-by-it'))).toBe(true);
  return answers.map(({ body }) => String(body.reply));
}

test.each(NEWEST_LIVE)(
  'Claude Code %s (%s) with the plugin spawns another, gets an update about its end, and reads its turn',
  async (version, drive) => {
    await using stage = await openStage(claudeOf(version));
    const steps = [call('session_spawn', { name: 'worker', prompt: WORK }), { text: 'It is on its way.' }];
    const woken = [call('session_turn', { session: 'worker' }), { text: 'I have read it.' }];
    const prompt = `Delegate. ${script(steps, woken)}`;
    const owner = await stage.start({ drive, name: 'owner', agentArgs: ['--plugin-dir', ROOT], prompt });
    expect(await repliesAfterOneUpdate(stage, owner.id)).toEqual(['It is on its way.', 'I have read it.']);
    const first = (await stage.cli(['turn', 'owner', '1', '--full'])).stdout;
    expect(first).toMatch(/Started session \w+ \(worker\)\.\s+You get an update when it ends/);
    const second = (await stage.cli(['turn', 'owner', '2', '--full'])).stdout;
    expect(second).toContain('[outlast] Updates from a session you started');
    expect(second).toMatch(/Turn 1 of 1\.[\s\S]*echo made > made-by-it[\s\S]*it is made/);
    await stage.cli(['stop', 'owner']);
  },
);

test.each(NEWEST_IN_TURNS)(
  'Claude Code %s (%s) with the skill does the same with the command line alone',
  async (version, drive) => {
    await using stage = await openStage(claudeOf(version));
    cpSync(join(ROOT, 'skills'), join(stage.config, 'skills'), { recursive: true });
    writeFileSync(join(stage.workspace, 'prompt.md'), WORK);
    const steps = [bash('outlast spawn --name worker --prompt-file prompt.md'), { text: 'It is on its way.' }];
    const args = script(steps, [bash('outlast turn worker'), { text: 'I have read it.' }]);
    const skill = { tool: 'Skill', input: { skill: 'outlast', args } };
    const owner = await stage.start({ drive, name: 'owner', prompt: `Use the skill. ${script([skill])}` });
    expect(await repliesAfterOneUpdate(stage, owner.id)).toEqual(['It is on its way.', 'I have read it.']);
    const second = (await stage.cli(['turn', 'owner', '2', '--full'])).stdout;
    expect(second).toMatch(/outlast turn worker[\s\S]*echo made > made-by-it[\s\S]*it is made/);
    const prompts = stage.model?.requests().map(({ prompt }) => prompt) ?? [];
    expect(prompts.some((prompt) => prompt.includes('If `OUTLAST_RUN` is set, you are a session yourself'))).toBe(true);
    await stage.cli(['stop', 'owner']);
  },
);
