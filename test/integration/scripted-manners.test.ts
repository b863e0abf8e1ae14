import { existsSync } from 'node:fs';
import { test as alone, describe, expect, vi } from 'vitest';
import { readStream } from '../../src/agent/claude/stream.ts';
import { realClock } from '../../src/base/clock.ts';
import { some } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { Live } from '../scripted/live.ts';
import { MUTE, RUDE } from '../scripted/manners.ts';
import { ID, scriptedWorld, story } from '../scripted/world.ts';

/** Each has its own agent and mostly waits, so they run in parallel. */
const test = alone.concurrent;

vi.setConfig({ testTimeout: 30_000 });

const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
const clock = realClock();

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = clock.steadyMs();
  await work();
  return clock.steadyMs() - startedMs;
}

test('startMs: nothing happens for a while', async () => {
  await using world = scriptedWorld({ startMs: 600 });
  expect(await msOf(() => world.print('hello'))).toBeGreaterThan(600);
});

test('hookMs: every hook comes late', async () => {
  await using world = scriptedWorld({ hookMs: 150 });
  expect(await msOf(() => world.print('hello'))).toBeGreaterThan(600);
});

test('readyMs: it starts before it reads; what was pasted stays in the box, its Enter is lost', async () => {
  await using live = new Live({ readyMs: 3_000 });
  await live.open();
  await live.agent.hookCalled('SessionStart');
  expect((await live.screen()).is).toBe('unknown');
  expect(live.agent.states()).toMatchObject([{ status: 'unknown' }]);
  await live.prompt('too early');
  await live.shows({ is: 'ready', draft: 'too early' });
  expect(live.agent.events()).toEqual(['SessionStart']);
  await live.keys('Enter');
  expect((await live.agent.hookCalled('UserPromptSubmit')).prompt).toBe('too early');
});

test('endMs: it is slow to exit, also after a signal', async () => {
  await using world = scriptedWorld({ endMs: 800 });
  const run = world.printing(story({ hang: 'headers' }));
  await world.hookCalled('UserPromptSubmit');
  const ms = await msOf(() => {
    run.child.kill('SIGTERM');
    return run.end;
  });
  expect([(await run.end).status, ms >= 800]).toEqual([143, true]);
});

test('doubled: each hook is called twice with the same payload', async () => {
  await using world = scriptedWorld({ doubled: true });
  await world.print('hello');
  const payloads = world.payloads();
  expect(payloads).toHaveLength(8);
  for (let i = 0; i < payloads.length; i += 2) expect(payloads[i]).toEqual(payloads[i + 1]);
});

test('silent: some hooks are never called', async () => {
  await using world = scriptedWorld(MUTE);
  const { stdout } = await world.print(story(bash('true'), { text: 'end' }));
  expect(world.events()).toEqual(['PreToolUse', 'PostToolUse']);
  expect(readStream(stdout).outcome).toBe('complete');
});

describe('an Enter after a paste is lost', () => {
  test('lostEnters: this many of them, after each paste', async () => {
    await using live = new Live({ lostEnters: 2 });
    await live.open();
    await live.shows({ is: 'ready' });
    for (const [i, text] of ['one', 'two'].entries()) {
      await live.prompt(text);
      await live.keys('Enter');
      await live.shows({ is: 'ready', draft: text });
      await live.keys('Enter');
      await live.agent.hookCalled('Stop', i + 1);
      await live.shows({ is: 'ready' });
    }
  });

  test('digestMs: for a while', async () => {
    await using live = new Live({ digestMs: 3_000 });
    await live.open();
    await live.shows({ is: 'ready' });
    await live.prompt('hello');
    await live.shows({ is: 'ready', draft: 'hello' });
    expect(live.agent.events()).toEqual(['SessionStart']);
    await eventually(async () => {
      await live.keys('Enter');
      return live.agent.events().includes('UserPromptSubmit');
    });
  });
});

describe('dialog: it shows one at the start, and says nothing', () => {
  const known = { trust: 'trust', bypass: 'bypass', theme: 'theme', login: 'login', update: 'other' } as const;
  for (const [name, dialog] of some(Object.entries(known), 2))
    test(`${name}: the preselected answer refuses, the other one continues`, async () => {
      await using live = new Live({ dialog: name });
      await live.open();
      await live.shows({ is: 'dialog', dialog });
      expect([live.agent.events(), live.agent.states()]).toEqual([[], []]);
      await live.keys('Enter');
      expect(await live.ended()).toBe(1);
      await live.open();
      await live.shows({ is: 'dialog', dialog });
      await live.keys('Down', 'Enter');
      await live.shows({ is: 'ready' });
      await live.agent.hookCalled('SessionStart');
    });

  test('unknown: a screen that cannot be parsed', async () => {
    await using live = new Live({ dialog: 'unknown' });
    await live.open();
    await live.showsText('A dialog that no version has');
    expect((await live.screen()).is).toBe('unknown');
    await live.keys('Enter');
    expect(await live.ended()).toBe(1);
  });
});

test('flushMs: the transcript lags behind the hooks, and an id without a message in it is of no use', async () => {
  await using world = scriptedWorld({ flushMs: 60_000 });
  const run = world.printing(story(bash('true'), { hang: 'headers' }));
  await world.hookCalled('PostToolUse');
  expect(world.transcript()).toMatch(/^\{"type":"mode"[^\n]*\n$/);
  run.child.kill('SIGKILL');
  await run.end;
  expect((await world.print('x', { conversation: { is: 'resume', id: ID } })).stderr).toMatch(/^No conversation found/);
  expect((await world.print('x', { conversation: { is: 'new', id: ID } })).stderr).toMatch(/already in use/);
});

test('stateFile: it is never written', async () => {
  await using live = new Live({ stateFile: false });
  await live.open();
  await live.shows({ is: 'ready' });
  await live.prompt(story({ hang: 'headers' }));
  await live.shows({ is: 'busy' });
  expect(live.agent.states()).toEqual([]);
});

test('midDialog: it asks in the middle of the first tool call, though permissions are bypassed', async () => {
  await using live = new Live({ midDialog: 'permission' });
  await live.open();
  await live.shows({ is: 'ready' });
  await live.prompt(story(bash('true'), bash('true'), { text: 'end' }));
  await live.shows({ is: 'dialog', dialog: 'permission' });
  expect(live.agent.states()).toMatchObject([{ status: 'waiting', waitingFor: 'permission prompt' }]);
  await live.keys('Enter');
  expect((await live.agent.hookCalled('Stop')).last_assistant_message).toBe('end');
});

test('dieOnHook: it dies right after the hook, and leaves its state file', async () => {
  await using world = scriptedWorld({ dieOnHook: 'PreToolUse' });
  const { signal } = await world.print(story(bash('touch ran'), { text: 'end' }));
  expect(signal).toBe('SIGKILL');
  expect(world.events().at(-1)).toBe('PreToolUse');
  expect(existsSync(`${world.workspace}/ran`)).toBe(false);
  expect(world.states()).toMatchObject([{ status: 'busy', procStart: expect.stringMatching(/^\d+$/) }]);
});

test('leaveChild: a child of it outlives it', async () => {
  await using world = scriptedWorld({ leaveChild: true });
  expect((await world.print('hello')).status).toBe(0);
  expect(world.processes()).toHaveLength(1);
});

test('an agent with all of these is still read right', async () => {
  await using live = new Live(RUDE);
  await live.open();
  await live.shows({ is: 'ready' });
  await live.prompt(story(bash('echo hi'), { text: 'the reply' }));
  await eventually(async () => (await live.screen()).draft?.endsWith('SCRIPT'));
  await live.keys('Enter');
  expect((await live.agent.hookCalled('Stop', 2)).last_assistant_message).toBe('the reply');
  await live.shows({ is: 'ready' });
  await eventually(() => live.agent.conversation().is === 'complete');
  expect(live.agent.conversation().reply).toBe('the reply');
  expect(live.agent.events()).not.toContain('PostToolUse');
});
