import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test as alone, describe, expect } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { openStage } from '../agents/stage.ts';
import { script } from '../agents/story-text.ts';
import { PI_0_87 } from '../agents/under-test/pi.ts';
import { tried } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';

// What is special about pi, with the real one.

/** Each has its own daemon and mostly waits. */
const test = alone.concurrent;
const isHere = agentIsHere('0.87.1', 'pi') || process.env.CI === 'true';

describe.skipIf(!isHere)('pi', { timeout: 120_000 }, () => {
  test('model and thinking level reach the API on every turn', async () => {
    await using stage = await openStage(PI_0_87);
    const session = await stage.start({ model: 'scripted/two-2', thinking: 'High' });
    for (const text of ['one', 'two']) {
      expect((await session.converse(text, { timeoutMs: 30_000 })).reply).toBe(`You said: ${text}`);
      const asked = stage.model?.requests().filter(({ prompt }) => prompt === text) ?? [];
      expect(asked.map(({ model, thinking }) => [model, thinking])).toEqual([['two-2', 'high']]);
    }
  });

  test('a prompt of which pi wrote nothing down before it was killed is sent again, once', async () => {
    await using stage = await openStage(PI_0_87);
    const session = await stage.start();
    const text = stage.script({ say: 'at last', delayMs: 4_000 });
    const { prompt } = await session.prompt(text);
    await eventually(() => stage.model?.requests().length === 1, { msMax: 30_000, what: 'a request' });
    expect(stage.transcripts()).toEqual([]);
    kill((await session.show()).session.pid);
    expect(await session.reply({ prompt, timeoutMs: 60_000 })).toMatchObject({ met: 'answered', reply: 'at last' });
    await stage.expectReceived([text]);
    expect(stage.model?.requests().map((request) => request.prompt)).toEqual([text, text]);
  });

  let attempts = 0;
  afterAll(() => tried(`gated calls of ${PI_0_87.title}`, attempts));

  test('every tool asks, and what was denied has not happened', async () => {
    await using stage = await openStage(PI_0_87);
    writeFileSync(join(stage.workspace, 'a.txt'), 'one\n');
    const calls = [
      { tool: 'read', input: { path: 'a.txt' } },
      { tool: 'write', input: { path: 'made', content: 'written' } },
      { tool: 'edit', input: { path: 'a.txt', edits: [{ oldText: 'one', newText: 'two' }] } },
      { tool: 'grep', input: { pattern: 'one' } },
      { tool: 'find', input: { pattern: '*' } },
      { tool: 'ls', input: {} },
    ];
    attempts += calls.length;
    const args = ['--tools', 'read,write,edit,grep,find,ls'];
    const gate = { mode: 'gate' as const, deny: ['*'] };
    const session = await stage.start({ gate, agentArgs: args });
    const reply = await session.converse(script(...calls, { text: 'bye' }), { timeoutMs: 60_000 });
    expect(reply).toMatchObject({ met: 'answered', reply: 'bye' });
    const asked = await stage.events(session.id, 'approval.asked');
    expect(asked.map(({ body }) => body.tool)).toEqual(calls.map(({ tool }) => tool));
    expect(readFileSync(join(stage.workspace, 'a.txt'), 'utf8')).toBe('one\n');
    expect(existsSync(join(stage.workspace, 'made'))).toBe(false);
  });
});
