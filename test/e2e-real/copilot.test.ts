import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as alone, describe, expect } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { openStage } from '../agents/stage.ts';
import { COPILOT_1_0 } from '../agents/under-test/copilot.ts';
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
    const { prompt } = await session.prompt(stage.script({ run: 'echo once >> made' }, { say: 'bye' }));
    const made = join(stage.workspace, 'made');
    const pid = await eventually(async () => (await session.show()).session.pid, { what: 'a process' });
    await eventually(() => existsSync(made), { msMax: 60_000, what: 'the command' });
    kill(pid);
    // Depending on the moment it was answered, or can be continued, or nobody knows.
    const { met } = await session.reply({ prompt, timeoutMs: 90_000 });
    expect(['answered', 'held']).toContain(met);
    expect(readFileSync(made, 'utf8')).toBe('once\n');
  });
});
