import { expect, test } from 'vitest';
import { Live } from '../scripted/live.ts';
import { kindOf, PAYLOAD_KEYS, RESPONSE_KEYS, SEQUENCE } from '../scripted/parity.ts';
import { scriptedWorld, story } from '../scripted/world.ts';

const bash = (command: string): object => ({ tool: 'Bash', input: { command } });

function expectKeys(payloads: readonly Record<string, unknown>[]): void {
  for (const payload of payloads)
    expect([kindOf(payload), Object.keys(payload).sort()]).toEqual([kindOf(payload), PAYLOAD_KEYS[kindOf(payload)]]);
}

test('a headless run calls the hooks that the real one called, with the same keys', async () => {
  await using world = scriptedWorld();
  const files = [
    { tool: 'Write', input: { file_path: 'b.txt', content: 'x\n' } },
    { tool: 'Read', input: { file_path: 'b.txt' } },
  ];
  const sub = { tool: 'Agent', input: { description: 'sub', prompt: 'x', subagent_type: 'general-purpose' } };
  await world.print(story({ say: 'a', ...bash('pwd') }, bash('exit 3'), { tools: files }, sub, { text: 'bye' }));
  expect(world.events()).toEqual(SEQUENCE);
  expectKeys(world.payloads());
  const responses = world.payloads().filter(({ hook_event_name }) => hook_event_name === 'PostToolUse');
  for (const { tool_name, tool_response } of responses)
    expect(Object.keys(Object(tool_response)).sort()).toEqual(RESPONSE_KEYS[String(tool_name)]);
});

test('one prompt has one id in all its hooks, and a new prompt a new one', async () => {
  await using world = scriptedWorld();
  await world.print(story(bash('true'), { text: 'x' }));
  await world.print('again', { conversation: { is: 'resume', id: String(world.payloads()[0]?.session_id) } });
  const ids = world.payloads().map(({ prompt_id }) => prompt_id);
  expect(new Set(ids.slice(1, 6)).size).toBe(1);
  expect(ids[0]).toBeUndefined();
  expect(ids.at(-1)).not.toBe(ids[1]);
});

test('a failure has the keys of a failure', async () => {
  await using world = scriptedWorld();
  await world.print(story({ status: 400 }));
  expect(world.events()).toContain('StopFailure');
  expectKeys(world.payloads());
});

test('/compact, /clear and /exit call the hooks that they call in the real one', async () => {
  await using live = new Live();
  await live.open();
  await live.shows({ is: 'ready' });
  await live.prompt('hello');
  await live.agent.hookCalled('Stop');
  await live.shows({ is: 'ready' });
  await live.prompt('/compact');
  await live.agent.hookCalled('PostCompact');
  await live.shows({ is: 'ready' });
  await live.prompt('/clear');
  await live.agent.hookCalled('SessionStart', 3);
  await live.shows({ is: 'ready' });
  await live.prompt('/exit');
  expect(await live.ended()).toBe(0);
  expect(live.agent.events()).toEqual([
    ...['SessionStart', 'UserPromptSubmit', 'Stop'],
    ...['PreCompact', 'SubagentStop', 'SubagentStop', 'SessionStart', 'PostCompact'],
    ...['SessionEnd', 'SessionStart', 'SessionEnd'],
  ]);
  expectKeys(live.agent.payloads());
  expect(live.agent.payloads().flatMap(({ reason, source }) => reason ?? source ?? [])).toEqual([
    ...['startup', 'compact', 'clear', 'clear', 'prompt_input_exit'],
  ]);
});

test('a notification hook runs when a person lets a dialog wait', async () => {
  await using live = new Live({ midDialog: 'permission' });
  await live.open();
  await live.shows({ is: 'ready' });
  await live.prompt(story(bash('true'), { text: 'end' }));
  await live.shows({ is: 'dialog', dialog: 'permission' });
  await live.agent.hookCalled('Notification');
  expect(live.agent.reports().at(-1)).toMatchObject({ is: 'notified', kind: 'permission_prompt' });
  expectKeys(live.agent.payloads());
});
