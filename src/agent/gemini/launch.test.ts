import { expect, test } from 'vitest';
import { AGENT } from '../../core/policy.ts';
import type { ConversationId, ConversationSpec, Spec } from '../../core/session.ts';
import type { RunPlan } from '../seam/agent.ts';
import { gemini } from './gemini.ts';

const ID = '01a1eef3-8c4e-4083-ba9e-313b49b60258' as ConversationId;
const PLAN: RunPlan = {
  ...{ how: 'launch', conversation: ID, origin: null, promptPath: '/r/prompt', folder: '/r', files: '/r/files' },
  ...{ hook: 'true', tell: null, ask: null },
};

function specOf(more: Partial<ConversationSpec> = {}): Spec {
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
    ...{ name: null, agent: 'gemini', drive: 'turns', terminal: 'pipe', workspace: '/w', argv: [], policy: AGENT },
    ...{ size: { columns: 80, rows: 24 }, stdin: 'open', split: true, background: true, notify: 'never' },
    keepOpen: true,
    conversation: { chosenBy: 'us', id: ID, ...wants, ...more } as ConversationSpec,
  };
}

test('a turn begins the conversation under our id, and later ones resume it, as one process', () => {
  const env = { PATH: '/bin', GEMINI_API_KEY: 'k', GEMINI_CLI: '1', GEMINI_SYSTEM_MD: 'x', SECRET: 's' };
  const first = gemini.launch(specOf({ model: 'gemini-2.5-pro' }), { env, umask: 0o022 }, PLAN);
  expect(first.argv.slice(0, 5)).toEqual(['gemini', '-o', 'stream-json', '--approval-mode', 'yolo']);
  expect(first.argv.slice(-4)).toEqual(['-m', 'gemini-2.5-pro', '--session-id', ID]);
  expect(first.env).toEqual({ PATH: '/bin', GEMINI_API_KEY: 'k', GEMINI_CLI_NO_RELAUNCH: 'true' });
  const later = gemini.launch(specOf(), { env, umask: 0o022 }, { ...PLAN, how: 'resume' });
  expect([later.argv.slice(-2), later.stdin]).toEqual([['--resume', ID], { path: '/r/prompt' }]);
});

test('settings of a folder may be code, and need trust; arguments are not passed on', () => {
  expect(gemini.program.ownFiles).toEqual(['.gemini', '.env']);
  expect(gemini.program.refusals(['--yolo'])).toHaveLength(1);
});

test('a gated run asks about everything, in a folder that is not trusted, without servers and extensions', () => {
  const gate = { mode: 'gate', rules: {} } as const;
  const spec = { ...specOf({ gate, trusted: true, mode: 'none' }), drive: 'server' } as const;
  const { argv, env, files = [], stdin, cwd } = gemini.launch(spec, { env: { PATH: '/bin' }, umask: 0o022 }, PLAN);
  expect([argv.slice(0, 4), stdin, cwd]).toEqual([
    ['gemini', '--acp', '--admin-policy', '/r/files/policy.toml'],
    'messages',
    '/w',
  ]);
  expect(argv.slice(4)).toEqual(['--allowed-mcp-server-names', 'none', '--extensions', 'none']);
  expect(env.GEMINI_CLI_TRUST_WORKSPACE).toBe('false');
  expect(files).toMatchObject([{ name: 'policy.toml', text: expect.stringContaining('argsPattern = "."') }]);
});

test('a server without a gate gets its mode, and a policy that decides nothing', () => {
  const spec = { ...specOf({ mode: 'ask-all' }), drive: 'server' } as const;
  const { argv, env, files } = gemini.launch(spec, { env: { PATH: '/bin' }, umask: 0o022 }, PLAN);
  expect(argv.slice(4)).toEqual(['--approval-mode', 'default', '--skip-trust']);
  expect([env.GEMINI_CLI_TRUST_WORKSPACE, files]).toEqual([
    undefined,
    [{ name: 'policy.toml', text: expect.not.stringContaining('rule') }],
  ]);
});

test('a server may not load a conversation in the minute in which it began', () => {
  const path = '/h/tmp/w/chats/session-2026-11-18T18-44-a9ba5984.jsonl';
  const untilMs = Date.parse('2026-11-18T18:45:00Z');
  const delay = (nowMs: number, at = path) => gemini.server.delay?.({ is: 'file', path: at }, nowMs);
  for (const ms of [1, 60_000]) expect(delay(untilMs - ms)).toMatchObject({ untilMs });
  expect([delay(untilMs), delay(untilMs - 60_001), delay(untilMs - 1, '/h/other.jsonl')]).toEqual([null, null, null]);
});
