import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../src/agent/claude/stand-in/places.ts';
import { readStream } from '../../src/agent/claude/stream.ts';
import { eventually } from '../eventually.ts';
import { ID, OTHER, scriptedWorld, story } from '../scripted/world.ts';

const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
const resume = { conversation: { is: 'resume', id: ID } } as const;
const AGAIN = 'Continue where you left off.';

test('the stream, the hooks and the transcript agree about a turn with tools', async () => {
  await using world = scriptedWorld();
  const steps = [{ ...bash('echo hi >made; cat made'), say: 'let me', think: 'hm' }, bash('exit 3'), { text: 'bye\n' }];
  const { status, stdout, stderr } = await world.print(story(...steps));
  expect([status, stderr]).toEqual([0, '']);
  expect(readStream(stdout)).toMatchObject({
    outcome: 'complete',
    reply: 'bye\n',
    conversation: ID,
    model: 'claude-sonnet-4-6',
    version: VERSION,
    skipped: 0,
  });
  expect(readFileSync(join(world.workspace, 'made'), 'utf8')).toBe('hi\n');
  expect(world.reports().map(({ is }) => is)).toEqual([
    ...['started', 'prompted', 'tool.asked', 'tool.ended', 'tool.asked', 'tool.failed', 'stopped', 'ended'],
  ]);
  expect(world.reports().at(-2)).toMatchObject({ reply: 'bye', conversation: ID, background: 0 });
  const { is, reply, turns } = world.conversation();
  expect([is, reply]).toEqual(['complete', 'bye\n']);
  expect(turns.at(-1)?.steps).toMatchObject([
    { is: 'thinking', text: 'hm' },
    { is: 'text', text: 'let me' },
    { is: 'call', name: 'Bash', result: { text: 'hi', isError: false } },
    { is: 'call', name: 'Bash', result: { text: 'Exit code 3', isError: true } },
    { is: 'text', text: 'bye\n' },
  ]);
});

test('a prompt without a script is repeated', async () => {
  await using world = scriptedWorld();
  expect(readStream((await world.print('hello\n')).stdout).reply).toBe('You said: hello');
});

test('files are written, edited and read, but only in the workspace', async () => {
  await using world = scriptedWorld();
  const file = (tool: string, file_path: string, more: object = {}): object => ({
    tool,
    input: { file_path, ...more },
  });
  await world.print(
    story(
      file('Write', 'a/b.txt', { content: 'one\n' }),
      file('Edit', 'a/b.txt', { old_string: 'one', new_string: '$&two' }),
      file('Read', 'a/b.txt'),
      file('Write', '../outside', { content: 'x' }),
      { tool: 'WebFetch', input: {} },
    ),
  );
  expect(readFileSync(join(world.workspace, 'a/b.txt'), 'utf8')).toBe('$&two\n');
  expect(existsSync(join(world.workspace, '../outside'))).toBe(false);
  const results = world
    .conversation()
    .turns.flatMap(({ steps }) => steps.map((step) => 'result' in step && step.result));
  expect(results.slice(2)).toMatchObject([{ text: '1\t$&two\n2\t' }, { isError: true }, { text: 'ok' }, false]);
});

test('the transcript has unknown lines, one of them of 100 KB', async () => {
  await using world = scriptedWorld();
  await world.print('hello');
  const rows = world.transcript().trimEnd().split('\n');
  expect(Math.max(...rows.map((row) => row.length))).toBeGreaterThan(100_000);
  expect(rows.map((row) => JSON.parse(row).type)).toEqual(expect.arrayContaining(['user', 'scripted-noise']));
});

describe('what cannot be done is refused as the real one does', () => {
  const cases: [string, string[], string, RegExp][] = [
    ['an id that is in use', ['-p', '--session-id', ID], 'x', new RegExp(`^Error: Session ID ${ID} is already in use`)],
    [
      'an unknown conversation',
      ['-p', '--resume', OTHER],
      'x',
      new RegExp(`^No conversation found with session ID: ${OTHER}`),
    ],
    [
      'no input',
      ['-p', '--session-id', OTHER],
      '',
      /^Error: Input must be provided either through stdin or as a prompt/,
    ],
    ['a resume without a prompt', ['-p', '--resume', ID], '', /^Error: No deferred tool marker found/],
    [
      'two ids without a fork',
      ['-p', '--resume', ID, '--session-id', OTHER],
      'x',
      /^Error: --session-id can only be used/,
    ],
    ['a stream that is not verbose', ['-p', '--output-format', 'stream-json'], 'x', /requires --verbose/],
    ['an id that is none', ['-p', '--session-id', 'x'], 'x', /^Error: Invalid session ID/],
  ];
  for (const [name, args, input, said] of cases)
    test(name, async () => {
      await using world = scriptedWorld();
      await world.print('first');
      const { status, stderr, stdout } = await world.start(args, input).end;
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(said);
    });
});

test('the version is printed, and unknown flags are ignored', async () => {
  await using world = scriptedWorld();
  expect((await world.start(['--version'], '').end).stdout).toBe(`${VERSION} (Claude Code)\n`);
  const args = ['-p', '--effort', 'high', '--not-yet-invented=1', '--add-dir', 'a', 'b', '--verbose'];
  expect((await world.start(args, 'hello').end).stdout).toBe('You said: hello\n');
});

describe('a conversation continues', () => {
  test('under its id, and a fork under another', async () => {
    await using world = scriptedWorld();
    await world.print('first');
    await world.print('second', resume);
    await world.print('third', { conversation: { is: 'fork', from: ID, id: OTHER } });
    expect(world.conversation(ID).turns.map(({ prompt }) => prompt)).toEqual(['first', 'second']);
    expect(world.conversation(OTHER).turns.map(({ prompt }) => prompt)).toEqual(['first', 'second', 'third']);
    const starts = world.payloads().filter(({ hook_event_name }) => hook_event_name === 'SessionStart');
    expect(starts.map(({ source, session_id }) => [source, session_id])).toEqual([
      ['startup', ID],
      ['resume', ID],
      ['fork', OTHER],
    ]);
  });

  test('after a kill in the middle of a tool, with the next step and never the same one', async () => {
    await using world = scriptedWorld({ flushMs: 0 });
    const run = world.printing(story(bash('echo ran >>ledger; sleep 1000'), { text: 'carried on' }));
    await eventually(() => existsSync(join(world.workspace, 'ledger')) && /tool_use/.test(world.transcript()));
    run.child.kill('SIGKILL');
    expect((await run.end).signal).toBe('SIGKILL');
    expect(world.conversation()).toMatchObject({ is: 'interrupted', openToolCalls: [{ name: 'Bash' }] });
    expect(world.states()).toMatchObject([{ status: 'busy', conversation: ID, pid: run.child.pid }]);
    expect(readStream((await world.print(AGAIN, resume)).stdout).reply).toBe('carried on');
    expect(readFileSync(join(world.workspace, 'ledger'), 'utf8')).toBe('ran\n');
    expect(world.conversation().is).toBe('complete');
  });

  test('after a torn last line', async () => {
    await using world = scriptedWorld();
    await world.print('first');
    const path = String(world.payloads()[0]?.transcript_path);
    writeFileSync(path, `${world.transcript()}{"type":"user","mess`);
    expect((await world.print('second', resume)).status).toBe(0);
    expect(world.transcript().includes('"mess\n{')).toBe(true);
    expect(world.conversation().turns.map(({ prompt }) => prompt)).toEqual(['first', 'second']);
  });
});

describe('a signal ends a headless run as it ends the real one', () => {
  for (const [signal, status] of [
    ['SIGINT', 0],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    test(`${signal} in the middle of a text`, async () => {
      await using world = scriptedWorld();
      const run = world.printing(story({ text: 'word '.repeat(1000), pace: 20 }));
      await world.hookCalled('UserPromptSubmit');
      await eventually(() => /api-request-shape/.test(world.transcript()));
      run.child.kill(signal);
      const end = await run.end;
      expect(end.status).toBe(status);
      expect(readStream(end.stdout).outcome).toBe(signal === 'SIGINT' ? 'interrupted' : 'unfinished');
      expect(world.conversation().is).toBe('interrupted');
      expect(/Request interrupted by user/.test(world.transcript())).toBe(signal === 'SIGINT');
      expect(world.events().at(-1)).toBe('SessionEnd');
      expect(world.events()).not.toContain('Stop');
      expect(world.states()).toEqual([]);
    });

  test('SIGTERM in a command ends the command too', async () => {
    await using world = scriptedWorld();
    const run = world.printing(story(bash('echo $$ >pid; exec sleep 1000')));
    const pid = await eventually(() => Number(readFileSync(join(world.workspace, 'pid'), 'utf8')));
    run.child.kill('SIGTERM');
    expect((await run.end).status).toBe(143);
    await eventually(() => !existsSync(`/proc/${pid}`));
    expect(world.conversation().turns[0]?.steps).toMatchObject([{ result: { text: 'Exit code 137' } }]);
  });
});

describe('when the API fails', () => {
  test('the hook, the stream and the transcript say how; after a step that fails once the next one runs', async () => {
    await using world = scriptedWorld();
    const { status, stdout } = await world.print(story({ status: 500, times: 1 }, { text: 'fine' }));
    expect(status).toBe(1);
    expect(readStream(stdout)).toMatchObject({
      outcome: 'failed',
      error: 'server_error',
      results: [{ httpStatus: 500 }],
    });
    expect(world.events()).toEqual(['SessionStart', 'UserPromptSubmit', 'StopFailure', 'SessionEnd']);
    expect(world.conversation().is).toBe('failed');
    expect(readStream((await world.print(AGAIN, resume)).stdout).reply).toBe('fine');
  });

  test('a usage limit says when it resets', async () => {
    await using world = scriptedWorld();
    const name = 'anthropic-ratelimit-unified';
    const headers = { [`${name}-status`]: 'rejected', [`${name}-reset`]: '1794737617' };
    const { stdout } = await world.print(story({ status: 429, headers }));
    expect(readStream(stdout)).toMatchObject({
      outcome: 'limited',
      reply: "You've hit your 5-hour limit · resets 10:13am (UTC)",
      limit: { status: 'rejected', type: 'five_hour', resetsAtMs: 1794737617000 },
    });
    expect(world.conversation().is).toBe('limited');
    expect(world.reports()).toContainEqual(expect.objectContaining({ is: 'stop.failed', error: 'rate_limit' }));
  });

  test.each([
    [401, 'authentication_failed'],
    [529, 'server_error'],
    [400, 'unknown'],
  ])('%i is %s', async (status, error) => {
    await using world = scriptedWorld();
    expect(readStream((await world.print(story({ status }))).stdout).error).toBe(error);
  });
});

test('a script can end the process: by a status, or by a signal', async () => {
  await using world = scriptedWorld({ flushMs: 0 });
  const prompt = story({ exit: 7, times: 1, delayMs: 50 }, { kill: 9, times: 1, delayMs: 50 }, { text: 'at last' });
  expect((await world.print(prompt)).status).toBe(7);
  expect((await world.print(AGAIN, resume)).signal).toBe('SIGKILL');
  expect(readStream((await world.print(AGAIN, resume)).stdout).reply).toBe('at last');
  expect(world.events().filter((event) => event === 'SessionEnd')).toHaveLength(1);
});

describe('what decides about a tool call', () => {
  const deny = (output: string): string => `case $payload in *'"PreToolUse"'*) ${output} ;; esac`;
  const decision = (word: string, event = 'PreToolUse'): string =>
    `printf '%s' '{"hookSpecificOutput":{"hookEventName":"${event}","permissionDecision":"${word}",` +
    `"permissionDecisionReason":"because"}}'`;
  const ran = async (hook: string, mode: 'none' | 'deny-unlisted'): Promise<[boolean, string]> => {
    await using world = scriptedWorld({}, hook);
    await world.print(story(bash('echo x >ran'), { text: 'end' }), { mode });
    const step = world.conversation().turns[0]?.steps[0];
    return [existsSync(join(world.workspace, 'ran')), step?.is === 'call' ? (step.result?.text ?? '') : ''];
  };
  test('a hook that denies, though permissions are bypassed', async () => {
    expect(await ran(deny(decision('deny')), 'none')).toEqual([false, 'PreToolUse:Bash hook error: because']);
    const [isRun, text] = await ran(deny('echo no >&2; exit 2'), 'none');
    expect([isRun, text]).toEqual([false, expect.stringMatching(/^PreToolUse:Bash hook error: \[.*\]: no\n$/)]);
  });
  test('a hook that allows, where nothing else would', async () => {
    expect((await ran(deny(decision('allow')), 'deny-unlisted'))[0]).toBe(true);
    expect(await ran('', 'deny-unlisted')).toEqual([false, expect.stringContaining("don't ask mode")]);
  });
  test('a broken hook, or one that names the wrong event, decides nothing', async () => {
    expect((await ran(deny(decision('deny', 'Stop')), 'none'))[0]).toBe(true);
    expect((await ran(deny('exit 1'), 'none'))[0]).toBe(true);
    expect((await ran(deny('echo {'), 'none'))[0]).toBe(true);
  });
  test('a disallowed tool is an error, and no hook is called', async () => {
    await using world = scriptedWorld();
    await world.print(story({ tool: 'AskUserQuestion', input: {} }, { text: 'end' }));
    expect(world.events()).not.toContain('PreToolUse');
    expect(world.conversation()).toMatchObject({
      is: 'complete',
      turns: [{ steps: [{ result: { isError: true } }, {}] }],
    });
  });
});

test('what runs in the background starts another turn when it ends', async () => {
  await using world = scriptedWorld();
  const behind = { tool: 'Bash', input: { command: 'sleep 0.2', description: 'nap', run_in_background: true } };
  const { stdout } = await world.print(story(behind, { text: 'started' }));
  expect(readStream(stdout).results.map(({ text }) => text)).toEqual(['started', 'done']);
  const stops = world.reports().filter((news) => news.is === 'stopped');
  expect(stops.map((news) => news.is === 'stopped' && news.background)).toEqual([1, 0]);
  expect(world.conversation().turns).toHaveLength(1);
});
