import { expect, test } from 'vitest';
import type { Launch } from '../../core/launch.ts';
import type { ConversationId, Spec } from '../../core/session.ts';
import type { RunPlan } from '../seam/agent.ts';
import { opencodeLaunch } from './launch.ts';
import { opencodeRefusals } from './launch-args.ts';
import { opencodeProgram } from './program.ts';

const PLAN: RunPlan = {
  ...{
    how: 'launch',
    conversation: null,
    origin: null,
    promptPath: '/run/prompt',
    folder: '/run',
    files: '/run/files',
  },
  ...{ hook: 'true', tell: null, ask: null },
};
const CALLER = { HOME: '/h', ANTHROPIC_API_KEY: 'k', OPENCODE: '1', OPENCODE_SERVER_PASSWORD: 'other', NEITHER: 'x' };
const ID = 'ses_1' as ConversationId;

type Wanted = Partial<NonNullable<Spec['conversation']>>;

function launched(drive: Spec['drive'], wanted: Wanted = {}, plan: Partial<RunPlan> = {}, env = {}): Launch {
  const conversation = { args: [], envNames: [], trusted: false, ...wanted };
  const spec = { drive, workspace: '/w', conversation } as unknown as Spec;
  return opencodeLaunch(spec, { env: { ...CALLER, ...env }, umask: 0o022 }, { ...PLAN, ...plan });
}

function permissionsOf({ env }: Launch): Record<string, unknown> {
  return JSON.parse(env.OPENCODE_PERMISSION ?? '{}');
}

test('a turn reads its prompt from a file, and names conversation, model and thinking level', () => {
  const { argv, stdin } = launched('turns', { model: 'a/b', thinking: 'high' }, { how: 'resume', conversation: ID });
  const words = ['run', '--format', 'json', '--auto', '-m', 'a/b', '--variant', 'high', '-s', 'ses_1'];
  expect([argv, stdin]).toEqual([['opencode', ...words], { path: '/run/prompt' }]);
  expect(launched('turns', {}, { how: 'fork', origin: ID }).argv.slice(-3)).toEqual(['-s', 'ses_1', '--fork']);
});

test('a server listens on loopback, and a person gets a screen on the conversation', () => {
  const { argv, stdin } = launched('server');
  expect([argv, stdin]).toEqual([['opencode', 'serve', '--port', '0', '--hostname', '127.0.0.1'], 'empty']);
  expect(launched('turns', {}, { how: 'visit', conversation: ID }).argv).toEqual(['opencode', '-s', 'ses_1']);
});

test('a conversation that was taken over keeps its agent, and is allowed nothing that it was not', () => {
  const taken = launched('turns', { mode: 'plan', modeWord: 'agent:plan' }, { how: 'resume', conversation: ID });
  expect(taken.argv.slice(1)).toEqual(['run', '--format', 'json', '--agent', 'plan', '-s', 'ses_1']);
  // OpenCode has not named it to us yet.
  expect(launched('turns', { id: ID }, { how: 'resume' }).argv.slice(-2)).toEqual(['-s', 'ses_1']);
  expect(launched('turns', { id: ID }, { how: 'visit' }).argv.slice(-2)).toEqual(['-s', 'ses_1']);
  expect(launched('turns', { mode: 'ask-all', modeWord: 'acceptEdits' }).argv).not.toContain('--agent');
});

test('an id that is not of a conversation is never passed on', () => {
  const other = '--auto' as ConversationId;
  expect(() => launched('turns', {}, { how: 'resume', conversation: other })).toThrow('begins with ses_');
});

test('it gets its account from the caller, but not what belongs to an outer OpenCode', () => {
  const { env } = launched('turns');
  expect(env).toMatchObject({ HOME: '/h', ANTHROPIC_API_KEY: 'k' });
  for (const name of ['OPENCODE', 'OPENCODE_SERVER_PASSWORD', 'NEITHER']) expect(env).not.toHaveProperty(name);
});

test('behind a gate every permission asks, and config and plugins of the folder are shut out', () => {
  const gated = launched('server', { gate: { mode: 'gate', rules: {} }, trusted: true });
  expect(permissionsOf(gated)).toMatchObject({ '*': 'ask', bash: 'ask', edit: 'ask', read: 'ask', question: 'deny' });
  expect(Object.values(permissionsOf(gated))).not.toContain('allow');
  expect(gated.env).toMatchObject({ OPENCODE_DISABLE_PROJECT_CONFIG: '1', OPENCODE_PURE: '1' });
});

test('without a gate the mode decides, and what the user denies stays denied', () => {
  const modes = ['none', 'edits', 'plan'] as const;
  const [none, edits, plan] = modes.map((mode) => permissionsOf(launched('turns', { mode })));
  expect(Object.values(none ?? {})).not.toContain('allow');
  expect([edits?.edit, edits?.bash, plan?.glob, plan?.edit]).toEqual(['allow', 'deny', 'allow', 'deny']);
  // What OpenCode asks about by itself is denied too.
  expect(plan?.read).toMatchObject({ '*': 'allow', '*.env': 'deny' });
  expect([none, edits, plan].flatMap((each) => Object.values(each ?? {}))).not.toContain('ask');
});

test('the config of a folder is read if it is trusted; its instructions are always', () => {
  expect(launched('turns', { trusted: true }).env).not.toHaveProperty('OPENCODE_DISABLE_PROJECT_CONFIG');
  const { env } = launched('turns', {}, {}, { OPENCODE_CONFIG_CONTENT: '{"model":"a/b","instructions":["x.md"]}' });
  expect(env.OPENCODE_DISABLE_PROJECT_CONFIG).toBe('1');
  const content = JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '{}');
  expect(content).toEqual({ model: 'a/b', instructions: ['x.md', '/w/AGENTS.md', '/w/CLAUDE.md'] });
  const odd = '{ // mine\n}';
  expect(launched('turns', {}, {}, { OPENCODE_CONFIG_CONTENT: odd }).env.OPENCODE_CONFIG_CONTENT).toBe(odd);
});

test('a model is named with its provider', () => {
  const { isId } = opencodeProgram.models;
  expect(['a/b', 'openrouter/x/y:free', 'sonnet', 'a/', '-m/x y'].map(isId)).toEqual([true, true, false, false, false]);
});

test('arguments that the session decides about are refused', () => {
  expect(opencodeRefusals(['--log-level', 'DEBUG', '--print-logs'])).toEqual([]);
  const [auto, model, port] = opencodeRefusals(['--auto', '--model=a/b', '--port']);
  expect(auto).toBe('--auto: the session decides about permissions');
  expect(model).toBe('--model: set the model of the session instead');
  expect(port).toContain('are passed on');
});
