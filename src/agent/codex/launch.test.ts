import { expect, test } from 'vitest';
import { AGENT } from '../../core/policy.ts';
import type { ConversationId, Spec } from '../../core/session.ts';
import type { RunPlan } from '../seam/agent.ts';
import { codexLaunch } from './launch.ts';
import { codexRefusals } from './launch-args.ts';
import { codexProgram } from './program.ts';

const ID = '01a1eef3-8c4e-7083-ba9e-313b49b60258' as ConversationId;
const CALLER = { env: { HOME: '/home/ann', PATH: '/bin' }, umask: 0o022 };
const PLAN: RunPlan = {
  ...{ how: 'launch', conversation: null, origin: null, promptPath: '/r/prompt', folder: '/r', files: '/r/files' },
  ...{ hook: 'true', tell: null, ask: null },
};

function specOf(drive: Spec['drive'], more: Partial<NonNullable<Spec['conversation']>> = {}): Spec {
  const wants = {
    forkOf: null,
    model: null,
    args: [],
    envNames: [],
    trusted: false,
    after: [],
    screen: 'pty',
  } as const;
  return {
    ...{ name: null, agent: 'codex', drive, terminal: 'pipe', workspace: '/w', argv: [], policy: AGENT },
    ...{ size: { columns: 80, rows: 24 }, stdin: 'open', split: true, background: true, notify: 'never' },
    keepOpen: true,
    conversation: { chosenBy: 'agent', id: null, ...wants, ...more } as NonNullable<Spec['conversation']>,
  };
}

test('a turn reads its prompt from a file, and asks nobody', () => {
  const { argv, stdin } = codexLaunch(specOf('turns'), CALLER, PLAN);
  expect(stdin).toEqual({ path: '/r/prompt' });
  expect(argv.slice(0, 4)).toEqual(['codex', 'exec', '--json', '--skip-git-repo-check']);
  expect(argv).toContain('approval_policy="never"');
  expect(argv).toContain('sandbox_mode="danger-full-access"');
  expect(argv).toContain('projects={"/w"={trust_level="untrusted"}}');
  expect(argv.at(-1)).toBe('-');
});

test('images are named before the word that resumes, each as one word', () => {
  const image = { path: '/s/images/a b.png', name: 'a.png', type: 'image/png', base64: () => '' } as const;
  const plan = { ...PLAN, how: 'resume', conversation: ID, images: [image] } as const;
  expect(codexLaunch(specOf('turns'), CALLER, plan).argv.slice(-4)).toEqual([
    ...['--image=/s/images/a b.png', 'resume', ID, '-'],
  ]);
});

test('a conversation is resumed by its whole id only: anything else would begin a new one', () => {
  const resumed = codexLaunch(specOf('turns'), CALLER, { ...PLAN, how: 'resume', conversation: ID });
  expect(resumed.argv.slice(-3)).toEqual(['resume', ID, '-']);
  const taken = codexLaunch(specOf('turns', { chosenBy: 'us', id: ID }), CALLER, { ...PLAN, how: 'resume' });
  expect(taken.argv.slice(-3)).toEqual(['resume', ID, '-']);
  const forked = codexLaunch(specOf('turns', { forkOf: ID }), CALLER, PLAN);
  expect(forked.argv.slice(-3)).toEqual(['fork', ID, '-']);
  const named = { ...PLAN, how: 'resume', conversation: 'api' as ConversationId } as const;
  expect(() => codexLaunch(specOf('turns'), CALLER, named)).toThrow('UUID');
});

test('only a gated server has a home of its own, without the rules of the user', () => {
  expect(codexLaunch(specOf('server'), CALLER, PLAN)).not.toHaveProperty('files');
  const { argv, env, files = [] } = codexLaunch(specOf('server', { gate: { mode: 'gate', rules: {} } }), CALLER, PLAN);
  expect(argv).toEqual(['codex', 'app-server', '--listen', 'unix:///r/agent.sock']);
  expect(env.CODEX_HOME).toBe('/r/files');
  expect(files).toContainEqual({ name: 'auth.json', linkTo: '/home/ann/.codex/auth.json' });
  expect(files).toContainEqual({ name: 'config.toml', copyOf: '/home/ann/.codex/config.toml' });
  expect(files.map(({ name }) => name)).not.toContain('rules');
  expect(files.map(({ name }) => name)).not.toContain('hooks.json');
});

test('variables of an enclosing Codex never reach a run, not even if they are named', () => {
  const env = { ...CALLER.env, CODEX_THREAD_ID: 'x', CODEX_SANDBOX: 'x', OPENAI_API_KEY: 'k', MINE: '1', OTHER: '2' };
  const spec = specOf('turns', { envNames: ['CODEX_THREAD_ID', 'CODEX_SANDBOX', 'MINE'] });
  expect(codexLaunch(spec, { ...CALLER, env }, PLAN).env).toEqual({ ...CALLER.env, OPENAI_API_KEY: 'k', MINE: '1' });
});

test('settings are passed on, but not those that the session or its gate decides about', () => {
  const ok = ['-c', 'model_verbosity="low"', '--config=tui.theme="x"', '--enable', 'web_search_request'];
  expect(codexRefusals(ok, false)).toEqual([]);
  expect(codexRefusals(['--enable', 'hooks'], true)).toEqual([expect.stringContaining('behind a gate')]);
  expect(codexRefusals(['-c', 'mcp_servers.x.command="y"'], true)).toEqual([expect.stringContaining('behind a gate')]);
  for (const key of ['approval_policy="never"', '"approval_policy"="never"', 'projects."/w".trust_level="trusted"'])
    expect(codexRefusals(['-c', key], false)).toHaveLength(1);
  expect(codexRefusals(['-c', 'model="x"'], false)).toEqual(['-c model="x": set the model of the session instead']);
  expect(codexRefusals(['-c'], false)).toEqual(['-c: its value is missing']);
  expect(codexRefusals(['hello'], false)).toHaveLength(1);
  expect(codexRefusals(['--dangerously-bypass-approvals-and-sandbox'], false)).toHaveLength(1);
});

test('the script of the npm package stands for the program beside it or below it; another file for itself', () => {
  const found = codexProgram.natives?.('/usr/lib/node_modules/@openai/codex/bin/codex.js') ?? [];
  const vendor = 'codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex';
  expect(found).toContain(`/usr/lib/node_modules/@openai/${vendor}`);
  expect(found).toContain(`/usr/lib/node_modules/@openai/codex/node_modules/@openai/${vendor}`);
  expect(codexProgram.natives?.('/opt/codex/codex')).toEqual([]);
});
