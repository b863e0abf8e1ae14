import { expect, test } from 'vitest';
import type { Launch } from '../../core/launch.ts';
import type { ConversationId, Spec } from '../../core/session.ts';
import type { RunPlan } from '../seam/agent.ts';
import { copilotLaunch } from './launch.ts';
import { copilotRefusals } from './launch-args.ts';
import { copilotProgram } from './program.ts';

const PLAN: RunPlan = {
  ...{ how: 'launch', conversation: null, origin: null, promptPath: '/run/prompt', folder: '/run' },
  ...{ files: '/run/files', hook: 'true', tell: null, ask: null },
};
const CALLER = { HOME: '/h', GH_TOKEN: 'k', COPILOT_ALLOW_ALL: 'true', COPILOT_CLI: '1', NEITHER: 'x' };
const ID = '11111111-2222-4333-8444-555555555555' as ConversationId;

type Wanted = Partial<NonNullable<Spec['conversation']>>;

function launched(wanted: Wanted = {}, plan: Partial<RunPlan> = {}): Launch {
  const conversation = { id: ID, args: [], envNames: ['COPILOT_ALLOW_ALL'], trusted: false, ...wanted };
  const spec = { drive: 'turns', workspace: '/w', conversation } as unknown as Spec;
  return copilotLaunch(spec, { env: CALLER, umask: 0o022 }, { ...PLAN, ...plan });
}

const TURN = ['copilot', '--output-format', 'json', '--no-ask-user'];

test('a conversation that is taken over gets no more permissions than it had', () => {
  expect(launched({ mode: 'ask-all' }).argv).not.toContain('--allow-all');
  expect(launched({ mode: 'none' }).argv).toContain('--allow-all');
});

test('a turn reads its prompt from a file, and names conversation, model and thinking level', () => {
  const { argv, stdin } = launched({ model: 'gpt-5.4', thinking: 'high' });
  const settings = ['--model', 'gpt-5.4', '--reasoning-effort', 'high', '--allow-all'];
  expect(argv).toEqual([...TURN, `--session-id=${ID}`, ...settings]);
  expect(stdin).toEqual({ path: '/run/prompt' });
});

test('a conversation that is resumed must be there', () => {
  expect(launched({}, { how: 'resume', conversation: ID }).argv).toEqual([...TURN, `--resume=${ID}`, '--allow-all']);
});

test('a person gets a screen on the conversation', () => {
  const { argv, stdin } = launched({}, { how: 'visit', conversation: ID });
  expect([argv, stdin]).toEqual([['copilot', `--resume=${ID}`, '--allow-all'], 'open']);
});

test('behind a gate it has a home of its own with our hook, and nothing is allowed by a flag', () => {
  const ask = { command: 'ask', confirm: 'confirm', secondsMax: 5, strict: true, permissionServer: null };
  const { argv, env, files = [] } = launched({ trusted: true }, { ask });
  expect(argv).toEqual([...TURN, `--session-id=${ID}`, '--disable-builtin-mcps']);
  expect(env.COPILOT_HOME).toBe('/run/files');
  expect(files.map(({ name }) => name)).toEqual([
    ...['hooks/outlast.json', 'copilot-instructions.md', 'session-state'],
  ]);
  const watched = launched({}, { ask: { ...ask, strict: false } });
  expect([watched.argv.at(-1), watched.env.COPILOT_HOME]).toEqual(['--allow-all', '/run/files']);
});

test('an id that is not whole is never passed on', () => {
  expect(() => launched({}, { how: 'resume', conversation: '1111' as ConversationId })).toThrow('is a UUID');
});

test('it gets its account from the caller, but nothing that allows calls, and does not replace itself', () => {
  expect(launched().env).toEqual({ HOME: '/h', GH_TOKEN: 'k', COPILOT_AUTO_UPDATE: 'false' });
});

test('the program beside the script of the npm package is the agent itself', () => {
  const found = copilotProgram.natives?.('/n/@github/copilot/npm-loader.js') ?? [];
  expect(found).toContain('/n/@github/copilot-linux-x64/copilot');
  expect(copilotProgram.natives?.('/usr/bin/copilot')).toEqual([]);
});

test('a model is named by its id', () => {
  const { isId } = copilotProgram.models;
  expect(['gpt-5.4', 'auto', 'sonnet', '--model'].map(isId)).toEqual([true, true, false, false]);
});

test('arguments that the session decides about are refused', () => {
  expect(copilotRefusals(['--log-level', 'debug', '--disable-builtin-mcps'], true)).toEqual([]);
  expect(copilotRefusals(['--add-dir', '/x'], false)).toEqual([]);
  const [dir, all, model, prompt] = copilotRefusals(['--add-dir', '/x', '--yolo', '--model', '-p'], true);
  expect(dir).toBe('--add-dir: behind a gate nothing is loaded that may act by itself');
  expect(all).toBe('--yolo: the session decides about permissions');
  expect(model).toBe('--model: set the model of the session instead');
  expect(prompt).toContain('-p: only these are passed on');
});
