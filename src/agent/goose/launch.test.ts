import { expect, test } from 'vitest';
import { AGENT } from '../../core/policy.ts';
import type { ConversationSpec, Spec } from '../../core/session.ts';
import type { RunPlan } from '../seam/agent.ts';
import { goose } from './goose.ts';

const CALLER = { env: { HOME: '/home/ann', PATH: '/bin', GOOSE_MODE: 'auto', OPENAI_API_KEY: 'k' }, umask: 0o022 };
const PLAN: RunPlan = {
  ...{ how: 'launch', conversation: null, origin: null, promptPath: null, folder: '/r', files: '/r/files' },
  ...{ hook: 'true', tell: null, ask: null },
};

function specOf(more: Partial<ConversationSpec>): Spec {
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
    ...{ name: null, agent: 'goose', drive: 'server', terminal: 'pipe', workspace: '/w', argv: [], policy: AGENT },
    ...{ size: { columns: 80, rows: 24 }, stdin: 'open', split: true, background: true, notify: 'never' },
    keepOpen: true,
    conversation: { chosenBy: 'agent', id: null, ...wants, ...more } as ConversationSpec,
  };
}

test('a gated run asks about everything, and has neither permissions nor plugins of the user and the folder', () => {
  const gate = { mode: 'gate', rules: {} } as const;
  const { env, cwd, files = [] } = goose.launch(specOf({ gate, trusted: true }), CALLER, PLAN);
  expect([env.GOOSE_MODE, env.GOOSE_PATH_ROOT, env.OPENAI_API_KEY, cwd]).toEqual(['approve', '/r/files', 'k', '/r']);
  expect(files).toContainEqual({ name: 'data', linkTo: '/home/ann/.local/share/goose', makes: 'folder' });
  expect(files).toContainEqual({ name: 'config/config.yaml', copyOf: '/home/ann/.config/goose/config.yaml' });
  const permissions = files.find(({ name }) => name === 'config/permission.yaml');
  expect(permissions).toMatchObject({
    text: expect.stringMatching(/always_allow: \[\][\s\S]*never_allow:\s+- delegate/),
  });
});

test('plugins of the folder need trust: without it the process is started elsewhere', () => {
  const { env, cwd, files } = goose.launch(specOf({}), CALLER, PLAN);
  expect([env.GOOSE_MODE, env.GOOSE_PATH_ROOT, cwd, files]).toEqual(['auto', undefined, '/r', undefined]);
  expect(goose.launch(specOf({ trusted: true }), CALLER, PLAN).cwd).toBe('/w');
});

test('a conversation of a gated session is set to ask, and every other one not to', () => {
  const { server } = goose;
  const plan = {
    workspace: '/w',
    conversation: null,
    origin: null,
    model: null,
    thinking: null,
    mode: 'none',
  } as const;
  const more = { modeWord: null, isTrusted: true, isAdopted: false };
  const modes = [true, false].map((isGated) => server.hello(server.empty, { ...plan, ...more, isGated }));
  expect(modes).toMatchObject([
    [{ data: { params: { _meta: { outlast: { mode: 'approve' } } } } }],
    [{ data: { params: { _meta: { outlast: { mode: 'auto' } } } } }],
  ]);
});
