import { expect, test } from 'vitest';
import type { TellHow } from '../seam/agent.ts';
import type { AskPlan } from '../seam/gate.ts';
import { hookSettings, OBSERVED_HOOKS, observedHooks } from './hook-settings.ts';
import { readHook } from './hooks.ts';
import { type ClaudePlan, claudeLaunch } from './launch.ts';
import { refusals } from './launch-args.ts';
import { MODELS, modelOf } from './models.ts';
import { THINKING } from './thinking.ts';

const ID = '11111111-2222-4333-8444-555555555555';
const OTHER = '99999999-2222-4333-8444-555555555555';

const plan: ClaudePlan = {
  program: 'claude',
  drive: 'turns',
  conversation: { is: 'new', id: ID },
  mode: 'edits',
  isGated: false,
  permissionServer: null,
  settings: '{"hooks":{}}',
  model: null,
  thinking: null,
  extra: [],
  env: {},
  envNames: [],
};

function argvOf(change: Partial<ClaudePlan>): readonly string[] {
  const launch = claudeLaunch({ ...plan, ...change });
  if (!launch.ok) throw new Error(JSON.stringify(launch.refused));
  return launch.argv;
}

function envOf(env: Record<string, string>, envNames: readonly string[] = []): string[] {
  const launch = claudeLaunch({ ...plan, env, envNames });
  return launch.ok ? Object.keys(launch.env).sort() : [];
}

function refusedOf(...extra: string[]): string[] {
  const launch = claudeLaunch({ ...plan, extra });
  return launch.ok ? [] : launch.refused.map(({ arg }) => arg);
}

const turnsFlags = ['claude', '--print', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'];
const rest = ['--permission-mode', 'acceptEdits', '--settings', '{"hooks":{}}'];

test('a mode is passed by its usual name, unless the conversation had another name for it', () => {
  const wordOf = (change: Partial<ClaudePlan>) => argvOf(change)[argvOf(change).indexOf('--permission-mode') + 1];
  expect([wordOf({}), wordOf({ mode: 'ask-all', modeWord: 'superMode' })]).toEqual(['acceptEdits', 'superMode']);
});

test('where no hook asks, our permission server is asked, under a name that is unique', () => {
  const argv = argvOf({
    permissionServer: ['node', 'permission-server.js', 'sh ask'],
    extra: ['--mcp-config', 'theirs'],
  });
  const at = argv.indexOf('--mcp-config');
  const server = { type: 'stdio', command: 'node', args: ['permission-server.js', 'sh ask'] };
  expect(JSON.parse(argv[at + 1] ?? '')).toEqual({ mcpServers: { outlast_11111111: server } });
  expect(argv.slice(at + 2, at + 4)).toEqual(['--permission-prompt-tool', 'mcp__outlast_11111111__ask']);
  expect(argv.slice(-2)).toEqual(['--mcp-config', 'theirs']);
  expect(argvOf({})).not.toContain('--permission-prompt-tool');
});

test('a new conversation gets our id, a known one is resumed by its id alone', () => {
  expect(argvOf({})).toEqual([...turnsFlags, '--session-id', ID, ...rest]);
  expect(argvOf({ conversation: { is: 'resume', id: ID } })).toEqual([...turnsFlags, '--resume', ID, ...rest]);
});

test('a fork names both ids and the fork flag', () => {
  const argv = argvOf({ drive: 'live', conversation: { is: 'fork', from: ID, id: OTHER } });
  expect(argv).toEqual(['claude', '--resume', ID, '--fork-session', '--session-id', OTHER, ...rest]);
});

test('a live run has no headless flags, and extra arguments come last', () => {
  const argv = argvOf({ drive: 'live', model: 'claude-opus-4-6', extra: ['--add-dir', '/a', '/b'] });
  const tail = ['--model', 'claude-opus-4-6', '--add-dir', '/a', '/b'];
  expect(argv).toEqual(['claude', '--session-id', ID, ...rest, ...tail]);
});

test('the mode that asks has the name that every version knows', () => {
  expect(argvOf({ mode: 'ask-all' })).toContain('default');
  expect(argvOf({ mode: 'ask-all' })).not.toContain('ask-all');
});

test('an id that is not a UUID never reaches the command line', () => {
  expect(() => argvOf({ conversation: { is: 'resume', id: '--continue' } })).toThrow(/UUID/);
});

test('arguments that would break the id, the hooks or the gate are refused with the reason', () => {
  const bad = ['--session-id=x', '--resume', '--continue', '--fork-session', '--settings={}', '--bare', '--safe-mode'];
  const worse = ['--dangerously-skip-permissions', '--permission-mode=auto', '--print', '--bg', '--model=x', '--'];
  expect(refusedOf(...bad, ...worse)).toEqual([...bad, ...worse]);
  const launch = claudeLaunch({ ...plan, extra: ['--bare'] });
  expect(launch).toMatchObject({ ok: false, refused: [{ arg: '--bare', why: expect.stringContaining('hooks') }] });
});

test('combined short flags cannot hide a refused one', () => {
  expect(refusedOf('-c', '-r', '-pc', '-rabc', '-w', '-')).toEqual(['-c', '-r', '-pc', '-rabc', '-w', '-']);
  expect(refusedOf('-n', 'name', '-d')).toEqual([]);
});

test('a word that would be read as a prompt is refused, a value is not', () => {
  expect(refusedOf('do this')).toEqual(['do this']);
  expect(refusedOf('--effort', 'high', 'do this')).toEqual(['do this']);
  expect(refusedOf('--verbose', 'do this')).toEqual(['do this']);
  expect(refusedOf('--mcp-config', 'a.json', 'b.json', '--not-yet-invented=1')).toEqual([]);
});

test('a thinking level becomes an effort, and tokens for older models; the caller cannot set it otherwise', () => {
  const made = (thinking: string | null) => {
    const launch = claudeLaunch({ ...plan, thinking, env: { MAX_THINKING_TOKENS: '7' } });
    if (!launch.ok) throw new Error(JSON.stringify(launch.refused));
    const at = launch.argv.indexOf('--effort');
    return [at < 0 ? null : launch.argv[at + 1], launch.env.MAX_THINKING_TOKENS ?? null];
  };
  expect([null, ...THINKING].map((level) => [level, ...made(level)])).toEqual([
    [null, null, null],
    ['off', 'low', '0'],
    ['minimal', 'low', '1024'],
    ['low', 'low', '4000'],
    ['medium', 'medium', '10000'],
    ['high', 'high', null],
    ['xhigh', 'xhigh', null],
    ['max', 'max', null],
  ]);
  expect(made('toString')).toEqual([null, null]);
});

test('the variables of an enclosing agent are never passed on, not even by name', () => {
  const marks = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'x', CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_PID: '1' };
  const gates = { CLAUDE_CODE_SIMPLE: '1', CLAUDE_CODE_SAFE_MODE: '1', CLAUDE_CODE_SANDBOXED: '1' };
  const all = { ...marks, ...gates };
  expect(envOf({ ...all, PATH: '/bin', TMUX: 'x' }, Object.keys(all))).toEqual(['PATH']);
});

test('variables of the account and the endpoint are passed on, and those that the caller names', () => {
  const env = { ANTHROPIC_API_KEY: 'k', CLAUDE_CONFIG_DIR: '/c', CLAUDE_CODE_OAUTH_TOKEN: 't', LC_ALL: 'C', DB: 'd' };
  expect(envOf(env)).toEqual(['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CONFIG_DIR', 'LC_ALL']);
  expect(envOf(env, ['DB', 'MISSING'])).toContain('DB');
});

test('a short name means one model, a full id itself, and an unknown name is refused with the list', () => {
  expect(modelOf('opus')).toEqual({ ok: true, id: 'claude-opus-4-6' });
  expect(modelOf('sonnet')).toEqual({ ok: true, id: 'claude-sonnet-4-6' });
  expect(modelOf('claude-opus-4-6[1m]')).toEqual({ ok: true, id: 'claude-opus-4-6[1m]' });
  expect(modelOf('gpt')).toEqual({ ok: false, known: MODELS.map(({ name }) => name) });
  expect(modelOf('--resume').ok).toBe(false);
  expect(modelOf('opus', [{ name: 'opus', id: 'claude-opus-5-5', about: '' }])).toEqual({
    ok: true,
    id: 'claude-opus-5-5',
  });
});

test('every observing hook runs our command, with a time limit, and its payload can be parsed', () => {
  const { hooks } = JSON.parse(hookSettings('sh /opt/hook run', 'live'));
  expect(Object.keys(hooks)).toEqual([...OBSERVED_HOOKS]);
  for (const event of OBSERVED_HOOKS) {
    expect(hooks[event]).toEqual([{ hooks: [{ type: 'command', command: 'sh /opt/hook run', timeout: 5 }] }]);
    expect(readHook({ hook_event_name: event })).not.toBeNull();
  }
});

test('in the turns drive no hook runs for events of the output stream; live, every hook runs', () => {
  const dropped = OBSERVED_HOOKS.filter((event) => !observedHooks('turns').includes(event));
  expect(dropped).toEqual(['SessionStart', 'SessionEnd', 'PreToolUse', 'PostToolUse']);
  expect(Object.keys(JSON.parse(hookSettings('x', 'turns')).hooks)).toEqual([...observedHooks('turns')]);
});

test('updates are delivered after a tool, and never decide about one', () => {
  const tell = (how: TellHow): string =>
    `tell ${how.before}…${how.after} but ${how.others}${how.isOnly ? ' only' : ''}`;
  const command = (drive: 'turns' | 'live', event: string): string =>
    JSON.parse(hookSettings('hook', drive, { tell, ask: ASK })).hooks[event][0].hooks[0].command;
  const telling = (event: string): string =>
    `tell {"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":…}} but "agent_id":`;
  expect(command('live', 'PostToolUse')).toBe(telling('PostToolUse'));
  expect(command('turns', 'PostToolUse')).toBe(`${telling('PostToolUse')} only`);
  for (const drive of ['turns', 'live'] as const) {
    expect(command(drive, 'PostToolUseFailure')).toBe(telling('PostToolUseFailure'));
    expect([command(drive, 'PreToolUse'), command(drive, 'PermissionRequest')]).toEqual(['ask', 'confirm']);
    expect(command(drive, 'Stop')).toBe('hook');
  }
});

const ASK: AskPlan = { command: 'ask', confirm: 'confirm', secondsMax: 5, strict: true, permissionServer: null };

test('a payload of an unknown event gives no report, and nothing makes the parser throw', () => {
  for (const raw of [null, 1, 'x', [], {}, { hook_event_name: 'NotYet' }, { hook_event_name: 'toString' }])
    expect(readHook(raw)).toBeNull();
});

test('behind a gate only our settings are read, and nothing that has hooks of its own is passed on', () => {
  expect(argvOf({ isGated: true }).join(' ')).toContain('--setting-sources ');
  expect(argvOf({}).join(' ')).not.toContain('--setting-sources');
  expect(refusals(['--plugin-dir', 'x'], true).map(({ arg }) => arg)).toEqual(['--plugin-dir']);
  expect(refusals(['--plugin-dir', 'x'])).toEqual([]);
});
