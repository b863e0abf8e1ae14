import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test as alone, describe, expect } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { openStage } from '../agents/stage.ts';
import { script } from '../agents/story-text.ts';
import { COPILOT_1_0 } from '../agents/under-test/copilot.ts';
import { writeCopilotGateOpeners } from '../agents/under-test/copilot-gate-openers.ts';
import { times, tried } from '../campaign.ts';
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
  afterAll(() => tried('gated calls of Copilot CLI', attempts));

  test('files of the folder and of the user that would let everything through do not open the gate', async () => {
    await using stage = await openStage(COPILOT_1_0);
    writeCopilotGateOpeners(stage.root);
    const settings = readFileSync(join(stage.config, 'settings.json'), 'utf8');
    const gate = {
      mode: 'gate' as const,
      allow: ['Bash(echo yes >> made)'],
      deny: ['Bash(echo no >> made)', 'Bash(pwd)'],
    };
    const session = await stage.start({ gate, trust: true });
    const rounds = times(2, 25);
    for (let round = 0; round < rounds; round += 1) {
      const denied = Array.from({ length: 8 }, (_, i) => ({ run: i === 0 ? 'pwd' : 'echo no >> made' }));
      attempts += denied.length;
      const text = stage.script(...denied, { run: 'echo yes >> made' }, { say: 'bye' });
      expect(await session.converse(text, { timeoutMs: 90_000 })).toMatchObject({ met: 'answered', reply: 'bye' });
    }
    expect(readFileSync(join(stage.workspace, 'made'), 'utf8')).toBe('yes\n'.repeat(rounds));
    expect(existsSync(join(stage.root, 'loaded'))).toBe(false);
    expect(await stage.events(session.id, 'approval.decided')).toHaveLength(rounds * 9);
    expect(await stage.eventNames(session.id, 'approval.breached')).toEqual([]);
    // Nothing of the user changed, and the conversation is where Copilot looks for it.
    expect(readFileSync(join(stage.config, 'settings.json'), 'utf8')).toBe(settings);
    const { conversation } = (await session.show()).session;
    expect(stage.transcripts(conversation)).toHaveLength(1);
  });

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
