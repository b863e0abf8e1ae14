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
  expect(first.argv.slice(0, 4)).toEqual(['gemini', '-y', '-o', 'stream-json']);
  expect(first.argv.slice(-4)).toEqual(['-m', 'gemini-2.5-pro', '--session-id', ID]);
  expect(first.env).toEqual({ PATH: '/bin', GEMINI_API_KEY: 'k', GEMINI_CLI_NO_RELAUNCH: 'true' });
  const later = gemini.launch(specOf(), { env, umask: 0o022 }, { ...PLAN, how: 'resume' });
  expect([later.argv.slice(-2), later.stdin]).toEqual([['--resume', ID], { path: '/r/prompt' }]);
});

test('settings of a folder may be code, and need trust; arguments are not passed on', () => {
  expect(gemini.program.ownFiles).toEqual(['.gemini', '.env']);
  expect(gemini.program.refusals(['--yolo'])).toHaveLength(1);
});
