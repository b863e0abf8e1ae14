import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test as alone, describe, expect } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { openStage } from '../agents/stage.ts';
import { script } from '../agents/story-text.ts';
import { PI_0_87 } from '../agents/under-test/pi.ts';
import { openPiSettings, writePiGateOpeners } from '../agents/under-test/pi-gate-openers.ts';
import { times, tried } from '../campaign.ts';
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
  afterAll(() => tried('gated calls of pi', attempts));

  test('files of the folder and of the user that would let everything through do not open the gate', async () => {
    await using stage = await openStage(PI_0_87);
    const settings = join(stage.config, 'pi/settings.json');
    writePiGateOpeners(stage.root);
    const own = { ...JSON.parse(readFileSync(settings, 'utf8')), ...openPiSettings(stage.root) };
    writeFileSync(settings, JSON.stringify(own));
    const gate = { mode: 'gate' as const, allow: ['Bash(echo yes >> made)'], deny: ['Bash(echo no >> made)'] };
    const session = await stage.start({ gate, trust: true });
    const rounds = times(2, 25);
    for (let round = 0; round < rounds; round += 1) {
      const denied = Array.from({ length: 8 }, () => ({ run: 'echo no >> made' }));
      attempts += denied.length;
      const text = stage.script(...denied, { run: 'echo yes >> made' }, { say: 'bye' });
      expect(await session.converse(text, { timeoutMs: 60_000 })).toMatchObject({ met: 'answered', reply: 'bye' });
    }
    expect(readFileSync(join(stage.workspace, 'made'), 'utf8')).toBe('yes\n'.repeat(rounds));
    expect(existsSync(join(stage.workspace, 'loaded'))).toBe(false);
    const decided = await stage.events(session.id, 'approval.decided');
    expect(decided.map(({ body }) => body.allow)).toHaveLength(rounds * 9);
    expect(await stage.eventNames(session.id, 'approval.breached')).toEqual([]);
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual(own);
  });

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
