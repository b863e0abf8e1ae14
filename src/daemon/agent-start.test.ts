import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { claude } from '../agent/claude/claude.ts';
import type { Agent } from '../agent/seam/agent.ts';
import { CONTRACT } from '../api/contract.ts';
import { readAgentStart } from './agent-start.ts';
import { readConfig } from './config/config.ts';

const env = { HOME: tmpdir(), PATH: '' };
const plain: Agent = { ...claude, name: 'plain', talk: claude.talk && { ...claude.talk, thinking: [] } };
const parts = {
  config: readConfig({ ...env, OUTLAST_STATE: '/nonexistent' }),
  agents: { claude, plain },
  find: () => {
    throw new Error('nobody is looked for');
  },
  nowMs: 0,
  uid: 1000,
};

function start(agent: string, thinking?: string) {
  const input = CONTRACT['session.start'].input.parse({ agent, cwd: tmpdir(), env, thinking });
  return readAgentStart(input, env, parts).spec.conversation?.thinking;
}

test('a level of thinking is one that the agent knows, in any case; without one it is the choice of the agent', () => {
  expect([start('claude'), start('claude', ' Off '), start('plain')]).toEqual([undefined, 'off', undefined]);
  expect(() => start('claude', 'deep')).toThrow('there is no level of thinking "deep"; use one of: off, minimal, low');
  expect(() => start('plain', 'high')).toThrow('plain knows no levels of thinking; leave it out');
});

test('an agent that is not on the PATH is said to be missing, with how to get it', () => {
  const input = CONTRACT['session.start'].input.parse({ agent: 'claude', cwd: tmpdir(), env });
  const warnings = (program: string): readonly string[] => {
    const talk = claude.talk && { ...claude.talk, program: { ...claude.talk.program, name: program } };
    return readAgentStart(input, env, { ...parts, agents: { claude: { ...claude, talk } } }).warnings;
  };
  expect(warnings('no-such-program')[0]).toMatch(/^there is no claude on your PATH\. Install it with `npm install /);
  expect(warnings(process.execPath)).toHaveLength(1);
});
