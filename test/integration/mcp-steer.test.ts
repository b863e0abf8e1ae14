import { afterAll, beforeAll, expect, test } from 'vitest';
import { shell, storyOf } from '../e2e/spawning.ts';
import { eventually } from '../eventually.ts';
import { type Caller, type McpWorld, mcpWorld } from '../mcp-world.ts';

let it: McpWorld;
let caller: Caller;

beforeAll(async () => {
  it = await mcpWorld();
  caller = await it.caller(['--allow', 'read,prompt']);
});

afterAll(() => it[Symbol.asyncDispose]());

test('a turn is interrupted, and the session accepts the next prompt', async () => {
  await caller.call('session_start', { agent: 'scripted', name: 'busy', prompt: storyOf([shell('sleep 600')]) });
  await eventually(async () => (await it.world.events('busy')).includes('tool.called'), { what: 'a tool' });
  expect((await caller.call('session_interrupt', { session: 'busy' })).text).toBe('Interrupted busy: idle');
  const next = await caller.call('session_converse', { session: 'busy', text: 'hello' });
  expect(next.text).toContain('You said: hello');
  await caller.call('session_wait', { session: 'busy', for: 'idle' });
  const none = await caller.call('session_interrupt', { session: 'busy' });
  expect(none).toMatchObject({ isError: true, text: expect.stringMatching(/^not_working: /) });
  await caller.call('session_stop', { session: 'busy' });
});

test('a child sends its owner a message; without an owner it is an error', async () => {
  const boss = await caller.call('session_start', { agent: 'scripted', name: 'boss' });
  const inBoss = await it.caller([], {}, { OUTLAST_RUN: `${boss.details.session}.1` });
  const asked = { agent: 'scripted', name: 'kid', prompt: 'hello', keepOpen: true };
  const kid = await inBoss.call('session_spawn', asked);
  const inKid = await it.caller([], {}, { OUTLAST_RUN: `${kid.details.session}.1` });
  expect((await inKid.call('session_tell', { text: 'half of it' })).text).toBe(`Sent to ${boss.details.session}.`);
  await eventually(async () => (await it.world.client.turn({ session: 'boss' })).markdown.includes('  | half of it'), {
    what: 'the news',
  });
  expect((await inBoss.call('session_tell', { text: 'x' })).text).toMatch(/^not_supported: boss has no owner/);
  await caller.call('session_stop', { session: 'boss' });
});
