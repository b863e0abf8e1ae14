import { join } from 'node:path';
import { agentIsHere } from '../../../scripts/agents.ts';
import { claudeOpeners } from '../../../src/agent/claude/gate-openers.ts';
import { startModelServer } from '../../e2e-real/model-server.ts';
import type { AgentUnderTest } from './agent.ts';
import { environment, installAgent } from './claude-home.ts';
import { CLAUDE_LIKE, claudePrompt } from './claude-like.ts';
import { NEWEST_QUICK, OLDER_QUICK } from './claude-quick.ts';
import { gateOpeners } from './gate-openers.ts';

/** The newest version that is tested. Where any version would do, a test or bench takes this one. */
export const NEWEST_CLAUDE = '2.1.328';

export type ClaudeVersion = typeof NEWEST_CLAUDE | '2.1.197';

/** Claude Code itself, with a scripted model on loopback. */
function claudeCode(version: ClaudeVersion, more: Pick<AgentUnderTest, 'quick' | 'lacks'>): AgentUnderTest {
  return {
    ...CLAUDE_LIKE,
    ...more,
    title: `Claude Code ${version}`,
    name: 'claude',
    version,
    storyMsMax: 120_000,
    isHere: () => agentIsHere(version),
    install: (root, { isTrusted }) => installAgent(root, version, isTrusted),
    environment: (root, model) => environment(root, model ?? ''),
    startModel: startModelServer,
    setFaults: () => {},
    gateOpeners: gateOpeners(claudeOpeners, (root) => environment(root, ''), 'config/settings.json'),
    argv: (root) => [join(root, 'bin/claude')],
    prompt: (steps) => claudePrompt(steps, 2),
  };
}

const LACKS = {
  'faults on command': 'a real agent cannot be told to misbehave',
  'fast starts': 'it takes seconds to start, and one story starts it ten times',
} as const;

export const CLAUDE_NEWEST = claudeCode(NEWEST_CLAUDE, { lacks: LACKS, quick: NEWEST_QUICK });
export const CLAUDE_2_1_197 = claudeCode('2.1.197', {
  lacks: {
    ...LACKS,
    'kills at every moment': 'the newest version is',
    'gate without a screen': 'without a screen it calls only the first of the two hooks',
  },
  quick: OLDER_QUICK,
});

/** Claude Code of this version. */
export function claudeOf(version: ClaudeVersion): AgentUnderTest {
  return version === NEWEST_CLAUDE ? CLAUDE_NEWEST : CLAUDE_2_1_197;
}
