import { expect, test } from 'vitest';
import type { Launch } from '../../core/launch.ts';
import type { ConversationId, Spec } from '../../core/session.ts';
import type { RunPlan } from '../seam/agent.ts';
import { piLaunch } from './launch.ts';
import { piRefusals } from './launch-args.ts';
import { piProgram } from './program.ts';

const PLAN: RunPlan = {
  ...{ how: 'launch', conversation: null, origin: null, promptPath: '/run/prompt', folder: '/run' },
  ...{ files: '/run/files', hook: 'true', tell: null, ask: null },
};
const CALLER = { HOME: '/h', ANTHROPIC_API_KEY: 'k', PI_SESSION_ID: 'outer', PI_CODING_AGENT: 'true', NEITHER: 'x' };
const ID = '11111111-2222-4333-8444-555555555555' as ConversationId;
const OTHER = '22222222-2222-4333-8444-555555555555' as ConversationId;

type Wanted = Partial<NonNullable<Spec['conversation']>>;

function launched(wanted: Wanted = {}, plan: Partial<RunPlan> = {}, env = {}): Launch {
  const conversation = { id: ID, args: [], envNames: ['PI_SESSION_ID'], trusted: false, ...wanted };
  const spec = { drive: 'turns', workspace: '/w/one', conversation } as unknown as Spec;
  return piLaunch(spec, { env: { ...CALLER, ...env }, umask: 0o022 }, { ...PLAN, ...plan });
}

const PLACE = ['--session-id', ID, '--session-dir', '/h/.pi/agent/sessions/--w-one--'];

test('a turn reads its prompt from a file, and names conversation, model and thinking level', () => {
  const { argv, stdin } = launched({ model: 'a/b', thinking: 'high' });
  const settings = ['--model', 'a/b', '--thinking', 'high', '--no-approve'];
  expect(argv).toEqual(['pi', '--mode', 'json', '--print', ...PLACE, ...settings]);
  expect(stdin).toEqual({ path: '/run/prompt' });
  expect(launched({ model: 'a/b', thinking: 'high' }, { how: 'resume', conversation: ID }).argv).toEqual(argv);
});

test('a copy is looked for in all folders, and is then continued where it is', () => {
  const forked = ['--fork', OTHER, '--session-id', ID, '--no-approve'];
  expect(launched({ forkOf: OTHER }).argv.slice(4)).toEqual(forked);
  expect(launched({ forkOf: OTHER }, { how: 'resume', conversation: ID }).argv.slice(4)).toEqual([
    ...PLACE,
    '--no-approve',
  ]);
});

test('a conversation that was taken over gets the tools that it had; if those are not known, some that read', () => {
  const tools = (wanted: Wanted): string[] => launched(wanted).argv.slice(4 + PLACE.length);
  expect(tools({ mode: 'ask-all', modeWord: 'tools:read,bash' })).toEqual(['--tools', 'read,bash', '--no-approve']);
  expect(tools({ mode: 'ask-all', modeWord: 'tools:' })).toEqual(['--no-tools', '--no-approve']);
  for (const modeWord of [undefined, 'acceptEdits'])
    expect(tools({ mode: 'ask-all', ...(modeWord && { modeWord }) })).toEqual([
      '--tools',
      'read,grep,find,ls',
      '--no-approve',
    ]);
  expect(tools({ mode: 'edits' })[1]).toBe('read,grep,find,ls,edit,write');
  expect(tools({})).toEqual(['--no-approve']);
});

test('a person gets a screen on the conversation', () => {
  const { argv, stdin } = launched({}, { how: 'visit', conversation: ID });
  expect([argv, stdin]).toEqual([['pi', ...PLACE, '--no-approve'], 'open']);
});

test('the folder of the conversations is the one that the user chose', () => {
  const words = (env: object): string => launched({}, {}, env).argv.join(' ');
  expect(words({ PI_CODING_AGENT_DIR: '/p/' })).toContain('--session-dir /p/sessions/--w-one--');
  expect(words({ PI_CODING_AGENT_SESSION_DIR: '/s' })).toContain('--session-dir /s ');
});

test('an id that is not whole is never passed on', () => {
  expect(() => launched({}, { how: 'resume', conversation: '1111' as ConversationId })).toThrow('is a UUID');
});

test('files of the folder that are code are loaded only if it is trusted', () => {
  expect(launched({ trusted: true }).argv.at(-1)).toBe('--approve');
  expect(piProgram.ownFiles).toContain('.pi');
});

test('behind a gate nothing but our extension is loaded, and a watched run keeps the others', () => {
  const ask = { command: "ask 'it'", confirm: 'confirm', secondsMax: 5, strict: true, permissionServer: null };
  const gated = launched({ trusted: true }, { ask });
  const own = ['--extension', '/run/files/gate.ts'];
  expect(gated.argv.slice(-4)).toEqual(['--no-approve', '--no-extensions', ...own]);
  expect(gated.files).toEqual([{ name: 'gate.ts', text: expect.stringContaining(`"command":"ask 'it'"`) }]);
  expect(launched({ trusted: true }, { ask: { ...ask, strict: false } }).argv.slice(-3)).toEqual(['--approve', ...own]);
});

test('it gets its account from the caller, but not what belongs to an outer pi', () => {
  const { env } = launched();
  expect(env).toEqual({ HOME: '/h', ANTHROPIC_API_KEY: 'k' });
});

test('a model is named by its id or with its provider', () => {
  const { isId } = piProgram.models;
  expect(['a/b', 'gpt-4o', 'sonnet', '--model', 'x y-1'].map(isId)).toEqual([true, true, false, false, false]);
});

test('arguments that the session decides about are refused', () => {
  expect(piRefusals(['--append-system-prompt', 'be brief', '--tools', 'read,grep'], true)).toEqual([]);
  expect(piRefusals(['--extension', './x.ts'], false)).toEqual([]);
  const [extension, model, short] = piRefusals(['--extension', './x.ts', '--model', '-e'], true);
  expect(extension).toBe('--extension: behind a gate no other code is loaded');
  expect(model).toBe('--model: set the model of the session instead');
  expect(short).toContain('-e: only these are passed on');
  expect(piRefusals(['--skill'], false)).toEqual(['--skill: its value is missing']);
});
