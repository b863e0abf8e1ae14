import { expect, test } from 'vitest';
import { AGENT } from '../../core/policy.ts';
import type { Spec } from '../../core/session.ts';
import type { RunPlan } from '../seam/agent.ts';
import { acpAgent } from './acp.ts';

const PLAN: RunPlan = {
  ...{ how: 'launch', conversation: null, origin: null, promptPath: null, folder: '/r', files: '/r/files' },
  ...{ hook: 'true', tell: null, ask: null },
};

function specOf(args: readonly string[], envNames: readonly string[]): Spec {
  const wants = { forkOf: null, model: null, trusted: false, after: [], screen: 'pty' } as const;
  return {
    ...{ name: null, agent: 'own', drive: 'server', terminal: 'pipe', workspace: '/w', argv: [], policy: AGENT },
    ...{ size: { columns: 80, rows: 24 }, stdin: 'open', split: true, background: true, notify: 'never' },
    keepOpen: true,
    conversation: { chosenBy: 'agent', id: null, ...wants, args, envNames },
  };
}

test('the command line is started as it was given, with what any agent needs and what its caller names', () => {
  const own = acpAgent('own', ['own-agent', '--acp']);
  const env = { PATH: '/bin', OPENAI_API_KEY: 'k', OWN_KEY: 'o', SECRET: 's' };
  const { argv, stdin, env: given, cwd } = own.launch(specOf(['--fast'], ['OWN_KEY']), { env, umask: 0o022 }, PLAN);
  expect([argv, stdin, cwd]).toEqual([['own-agent', '--acp', '--fast'], 'messages', '/w']);
  expect(given).toEqual({ PATH: '/bin', OPENAI_API_KEY: 'k', OWN_KEY: 'o' });
});

test('an agent that is only known by its command line has no gate, no record and no actions', () => {
  const { name, program, ...agent } = acpAgent('own', ['own-agent', '--acp']);
  expect([name, program.name, program.idsChosenBy]).toEqual(['own', 'own-agent', 'agent']);
  expect(Object.keys(agent).sort()).toEqual(['images', 'launch', 'resumesUnread', 'server']);
});
