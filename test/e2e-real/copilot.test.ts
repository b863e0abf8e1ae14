import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test as alone, describe, expect } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { openStage } from '../agents/stage.ts';
import { script } from '../agents/story-text.ts';
import { COPILOT_1_0 } from '../agents/under-test/copilot.ts';
import { tried } from '../campaign.ts';
import { isRunning } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';

// What is special about Copilot CLI, with the real one.

/** Each has its own daemon and mostly waits. */
const test = alone.concurrent;
const isHere = agentIsHere('1.0.102', 'copilot') || process.env.CI === 'true';

/** A continuation that has its whole prompt, and the call. */
const NAMED = /not known what became of these tool calls.*\n- bash .*echo one[\s\S]*You had been asked:\n.*SCRIPT/;

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

  // It writes its record a moment after its output: within 0.3 s on a busy machine. What it wrote of the turn is taken
  // back while no daemon runs, so that every kill is an early one.
  test.each([
    ['first', []],
    ['second', ['hello']],
  ])(
    'killed before it has written its %s prompt down, it goes on, and its call is not made again',
    async (_, before) => {
      await using stage = await openStage(COPILOT_1_0);
      const ledger = join(stage.root, 'ledger');
      const session = await stage.start();
      for (const text of before) await session.converse(text, { timeoutMs: 60_000 });
      const calls = [{ run: `echo one>>${ledger}; sleep 600` }, { run: `echo two>>${ledger}` }];
      const { prompt } = await session.prompt(stage.script(...calls, { say: 'bye' }));
      await eventually(() => existsSync(ledger), { msMax: 60_000, what: 'the command' });
      const { pid } = (await session.show()).session;
      await eventually(() => stage.received().some((text) => text.includes('SCRIPT')), { what: 'its record' });
      await stage.world.kill();
      if (pid !== null) kill(pid);
      await eventually(() => pid === null || !isRunning(pid), { what: 'its end' });
      const [record = ''] = stage.agent.files(stage.root, null);
      const lines = readFileSync(record, 'utf8').split(/(?<=\n)/);
      const kept = lines.slice(0, before.length === 0 ? 0 : lines.findIndex((line) => line.includes('SCRIPT')));
      if (kept.length === 0) rmSync(record);
      else writeFileSync(record, kept.join(''));
      await stage.world.start();
      expect(await session.reply({ prompt, timeoutMs: 90_000 })).toMatchObject({ met: 'answered', reply: 'bye' });
      expect(readFileSync(ledger, 'utf8')).toBe('one\ntwo\n');
      expect(stage.received()).toEqual([...before, expect.stringMatching(NAMED)]);
    },
  );

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
