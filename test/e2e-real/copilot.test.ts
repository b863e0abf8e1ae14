import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test as alone, describe, expect } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { openStage } from '../agents/stage.ts';
import { script } from '../agents/story-text.ts';
import { COPILOT_1_0 } from '../agents/under-test/copilot.ts';
import { tried } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';

// What is special about Copilot CLI, with the real one.

/** Each has its own daemon and mostly waits. */
const test = alone.concurrent;
const isHere = agentIsHere('1.0.102', 'copilot') || process.env.CI === 'true';

describe.skipIf(!isHere)('Copilot CLI', { timeout: 180_000 }, () => {
  test('model and thinking level reach the API on every turn', async () => {
    await using stage = await openStage(COPILOT_1_0);
    const session = await stage.start({ model: 'gpt-5.4', thinking: 'High' });
    for (const text of ['one', 'two']) {
      expect((await session.converse(text, { timeoutMs: 60_000 })).reply).toBe(`You said: ${text}`);
      const asked = stage.model?.requests().filter(({ prompt }) => prompt === text) ?? [];
      expect(asked.map(({ model, thinking }) => [model, thinking])).toEqual([['gpt-5.4', 'high']]);
    }
  });

  test('a turn that is killed before anything is written down runs nothing twice', async () => {
    await using stage = await openStage(COPILOT_1_0);
    const session = await stage.start();
    const { prompt } = await session.prompt(stage.script({ run: 'echo once >> made' }, { say: 'bye', delayMs: 5_000 }));
    const made = join(stage.workspace, 'made');
    const pid = await eventually(async () => (await session.show()).session.pid, { what: 'a process' });
    await eventually(() => existsSync(made), { msMax: 60_000, what: 'the command' });
    kill(pid);
    // Depending on the moment it was answered, or can be continued, or nobody knows.
    const { met } = await session.reply({ prompt, timeoutMs: 90_000 });
    expect(['answered', 'held']).toContain(met);
    expect(readFileSync(made, 'utf8')).toBe('once\n');
  });

  let attempts = 0;
  afterAll(() => tried(`gated calls of ${COPILOT_1_0.title}`, attempts));

  test('reads, writes and edits ask too, and what was denied has not happened', async () => {
    await using stage = await openStage(COPILOT_1_0);
    const path = join(stage.workspace, 'a.txt');
    writeFileSync(path, 'one\n');
    const calls = [
      { tool: 'view', input: { path } },
      { tool: 'create', input: { path: join(stage.workspace, 'made'), file_text: 'written' } },
      { tool: 'edit', input: { path, old_str: 'one', new_str: 'two' } },
      { tool: 'glob', input: { pattern: '*' } },
    ];
    attempts += calls.length;
    const session = await stage.start({ gate: { mode: 'gate', deny: ['*'] } });
    const reply = await session.converse(script(...calls, { text: 'bye' }), { timeoutMs: 90_000 });
    expect(reply).toMatchObject({ met: 'answered', reply: 'bye' });
    const asked = await stage.events(session.id, 'approval.asked');
    expect(asked.map(({ body }) => body.tool)).toEqual(calls.map(({ tool }) => tool));
    expect(readFileSync(path, 'utf8')).toBe('one\n');
    expect(existsSync(join(stage.workspace, 'made'))).toBe(false);
  });
});
