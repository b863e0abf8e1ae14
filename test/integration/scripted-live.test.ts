import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { some } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { Live } from '../scripted/live.ts';
import { ID, story } from '../scripted/world.ts';

vi.setConfig({ testTimeout: 30_000 });

const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
const HANG = story({ hang: 'headers' });
const SLOW = story({ text: 'word '.repeat(1000), pace: 50 });

async function started(live: Live): Promise<Live> {
  await live.open();
  await live.shows({ is: 'ready' });
  return live;
}

const SIZES = [
  [80, 24],
  [120, 30],
] as const;

describe.each(some(SIZES, 2))('on a screen of %i by %i', (columns, rows) => {
  test('ready, busy, the reply and the draft are read right, also after a resize', async () => {
    await using live = new Live();
    await live.open({}, { columns, rows });
    await live.shows({ is: 'ready' });
    await eventually(() => live.agent.states()[0]?.status === 'idle');
    await live.prompt(story(bash('echo hi; until test -e go; do sleep 0.01; done'), { text: 'the reply' }));
    await live.agent.hookCalled('PreToolUse');
    await live.shows({ is: 'busy' });
    expect(live.agent.states()).toMatchObject([{ status: 'busy', conversation: ID, cwd: live.agent.workspace }]);
    await live.resize(columns + 20, rows + 5);
    await live.shows({ is: 'busy' });
    writeFileSync(join(live.agent.workspace, 'go'), '');
    await live.agent.hookCalled('Stop');
    await live.shows({ is: 'ready' });
    await live.showsText('● the reply');
    await live.paste('a draft\nof two lines');
    await live.shows({ is: 'ready', draft: 'a draft\nof two lines' });
    await live.resize(columns, rows);
    await live.shows({ is: 'ready', draft: 'a draft\nof two lines' });
    await eventually(() => live.agent.states()[0]?.status === 'idle');
    await eventually(() => live.agent.conversation().is === 'complete');
  });
});

test('a paste arrives exactly, except for what the real agent changes', async () => {
  await using live = await started(new Live());
  const big = Array.from({ length: 3000 }, (_, i) => `line ${i} äöü ✓ ${'x'.repeat(i % 90)}`).join('\n');
  const cases: [string, string][] = [
    ['x', 'x'],
    ['two\nlines', 'two\nlines'],
    ['crlf\r\nand\ttab  \n\n', 'crlf\nand    tab'],
    ['  leading', '  leading'],
    [`${'y'.repeat(900)}`, 'y'.repeat(900)],
    [big, big],
    [big.repeat(5), big.repeat(5)],
  ];
  for (const [i, [pasted, heard]] of cases.entries()) {
    await live.prompt(pasted);
    expect((await live.agent.hookCalled('UserPromptSubmit', i + 1)).prompt).toBe(heard);
    await live.agent.hookCalled('Stop', i + 1);
    await live.shows({ is: 'ready' });
  }
});

test('a large paste is a placeholder in the box, with its size', async () => {
  await using live = await started(new Live());
  await live.paste('1\n2\n3\n4');
  await live.shows({ is: 'ready', draft: '[Pasted text #1 +3 lines]' });
  await live.keys('C-u');
  await live.shows({ is: 'ready' });
  await live.paste('z'.repeat(801));
  await live.shows({ is: 'ready', draft: '[Pasted text #2]' });
  await live.keys('a', 'b', 'BSpace');
  await live.shows({ is: 'ready', draft: '[Pasted text #2]a' });
  await live.keys('Enter');
  expect((await live.agent.hookCalled('UserPromptSubmit')).prompt).toBe(`${'z'.repeat(801)}a`);
});

test('typed keys are a draft; Escape twice clears it, and in an empty box opens a dialog', async () => {
  await using live = await started(new Live());
  await live.keys('h', 'i');
  await live.shows({ is: 'ready', draft: 'hi' });
  await live.keys('Escape', 'Escape');
  await live.shows({ is: 'ready' });
  await live.keys('Escape', 'Escape');
  await live.shows({ is: 'dialog', dialog: 'other' });
  expect(live.agent.states()).toMatchObject([{ status: 'waiting', waitingFor: 'dialog open' }]);
  await live.keys('Escape');
  await live.shows({ is: 'ready' });
});

describe('Escape interrupts, and no hook reports it', () => {
  test('before any output: the prompt is back in the box', async () => {
    await using live = await started(new Live());
    await live.prompt(HANG);
    await live.agent.hookCalled('UserPromptSubmit');
    await live.shows({ is: 'busy' });
    await eventually(() => live.agent.conversation().lastPrompt === HANG);
    await live.keys('Escape');
    await live.shows({ is: 'ready', draft: HANG });
    await eventually(() => live.agent.states()[0]?.status === 'idle');
    expect(live.agent.events()).toEqual(['SessionStart', 'UserPromptSubmit']);
    expect(live.agent.transcript().includes('[Request interrupted')).toBe(false);
    expect(live.agent.conversation().is).toBe('interrupted');
  });

  test('in the middle of a text: what was said stays', async () => {
    await using live = await started(new Live());
    await live.prompt(SLOW);
    await live.showsText('● word word');
    await live.keys('Escape');
    await live.shows({ is: 'ready' });
    await live.showsText('Interrupted · What should Claude do instead?');
    await eventually(() => live.agent.transcript().includes('[Request interrupted by user]'));
    expect(live.agent.conversation()).toMatchObject({ is: 'interrupted', reply: expect.stringMatching(/^word word/) });
  });

  test('in a command: it ends with it, and the next prompt is received', async () => {
    await using live = await started(new Live());
    await live.prompt(story(bash('echo $$ >pid; exec sleep 1000')));
    const pid = await eventually(() => Number(readFileSync(join(live.agent.workspace, 'pid'), 'utf8')));
    await live.keys('Escape');
    await live.shows({ is: 'ready' });
    await eventually(() => !existsSync(`/proc/${pid}`));
    expect(live.agent.events()).toEqual(['SessionStart', 'UserPromptSubmit', 'PreToolUse']);
    await live.prompt('next');
    expect((await live.agent.hookCalled('Stop')).last_assistant_message).toBe('You said: next');
    await eventually(() => live.agent.conversation().is === 'complete');
  });
});

test('a prompt while busy is received at once and joins the running turn', async () => {
  await using live = await started(new Live());
  await live.prompt(story(bash('until test -e go; do sleep 0.01; done'), { text: 'for both' }));
  const { prompt_id } = await live.agent.hookCalled('PreToolUse');
  await live.prompt('and this too');
  expect(await live.agent.hookCalled('UserPromptSubmit', 2)).toMatchObject({ prompt: 'and this too', prompt_id });
  await live.shows({ is: 'busy' });
  await live.showsText('Press up to edit queued messages');
  writeFileSync(join(live.agent.workspace, 'go'), '');
  await eventually(() => live.agent.payloads().some((one) => one.last_assistant_message === 'for both'));
  await eventually(() => live.agent.conversation().is === 'complete');
  expect(live.agent.conversation().turns).toMatchObject([
    { steps: [{ is: 'call' }, { is: 'steering', text: 'and this too' }, { is: 'text', text: 'for both' }] },
  ]);
});

test('a text that begins with / or ! is a command, and no prompt', async () => {
  await using live = await started(new Live());
  await live.prompt('/nonsense foo');
  await live.showsText('Unknown command: /nonsense');
  await live.prompt('!echo bang >bang');
  await eventually(() => existsSync(join(live.agent.workspace, 'bang')));
  await live.shows({ is: 'ready' });
  await live.prompt('/clear');
  const { session_id } = await live.agent.hookCalled('SessionStart', 2);
  expect(session_id).not.toBe(ID);
  await eventually(() => live.agent.states()[0]?.conversation === session_id);
  expect(live.agent.events()).not.toContain('UserPromptSubmit');
});

describe('it ends', () => {
  test('by Ctrl-C twice with 0, and leaves no state file', async () => {
    await using live = await started(new Live());
    await live.keys('C-c');
    await live.showsText('Press Ctrl-C again to exit');
    await live.keys('C-c');
    expect(await live.ended()).toBe(0);
    expect(live.agent.reports().at(-1)).toMatchObject({ is: 'ended', reason: 'prompt_input_exit' });
    expect(live.agent.states()).toEqual([]);
    await live.showsText(`claude --resume ${ID}`);
  });

  test('and continues with --resume, showing the conversation', async () => {
    await using live = await started(new Live());
    await live.prompt('before');
    await live.agent.hookCalled('Stop');
    await live.shows({ is: 'ready' });
    await live.prompt('/exit');
    expect(await live.ended()).toBe(0);
    await live.open({ conversation: { is: 'resume', id: ID } });
    await live.shows({ is: 'ready' });
    await live.showsText('● You said: before');
    expect(await live.agent.hookCalled('SessionStart', 2)).toMatchObject({ source: 'resume', session_id: ID });
  });
});

test('in the mode that asks, a person decides on the screen, or a hook before them', async () => {
  await using live = new Live();
  await live.open({ mode: 'ask-all' });
  await live.shows({ is: 'ready' });
  await live.prompt(story(bash('touch one'), bash('touch two'), { text: 'end' }));
  await live.shows({ is: 'dialog', dialog: 'permission' });
  expect(live.agent.states()).toMatchObject([{ status: 'waiting', waitingFor: 'permission prompt' }]);
  expect(await live.agent.hookCalled('PermissionRequest')).toMatchObject({
    tool_name: 'Bash',
    permission_mode: 'default',
  });
  await live.keys('1');
  await live.agent.hookCalled('PermissionRequest', 2);
  await live.shows({ is: 'dialog', dialog: 'permission' });
  expect(existsSync(join(live.agent.workspace, 'one'))).toBe(true);
  await live.keys('Escape');
  await live.shows({ is: 'ready' });
  expect(existsSync(join(live.agent.workspace, 'two'))).toBe(false);
  expect(live.agent.events()).not.toContain('Stop');
});
