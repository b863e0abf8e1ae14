import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { claude } from '../../agent/claude/claude.ts';
import type { Agent } from '../../agent/seam/agent.ts';
import { CONTRACT } from '../../api/contract.ts';
import type { Row } from '../../journal/journal.ts';
import { readConfig } from '../config/config.ts';
import { readAgentStart } from './agent-start.ts';

const env = { HOME: tmpdir(), PATH: '' };
/** Claude Code with this program name, so that it is found. */
const claudeAs = (name: string): Agent => ({ ...claude, program: { ...claude.program, name } });
const here = claudeAs(process.execPath);
const { thinking: _, ...unthinking } = claude.program;
const plain: Agent = { ...claude, name: 'plain', program: { ...unthinking, name: process.execPath } };
const parts = {
  config: readConfig({ ...env, OUTLAST_STATE: '/nonexistent' }),
  agents: { claude: here, plain },
  find: () => {
    throw new Error('no lookup is expected');
  },
  nowMs: 0,
  uid: 1000,
};

function start(agent: string, thinking?: string) {
  const input = CONTRACT['session.start'].input.parse({ agent, cwd: tmpdir(), env, thinking });
  return readAgentStart(input, env, parts).spec.conversation?.thinking;
}

test('a thinking level must be known to the agent, in any case; without one the agent chooses', () => {
  expect([start('claude'), start('claude', ' Off '), start('plain')]).toEqual([undefined, 'off', undefined]);
  expect(() => start('claude', 'deep')).toThrow('there is no thinking level "deep"; use one of: off, minimal, low');
  expect(() => start('plain', 'high')).toThrow('plain has no thinking levels; leave out --thinking');
});

test('the short name of a model that only another agent has is refused with the name of that agent', () => {
  const models = { table: [{ name: 'swift', id: 'other-swift-1', about: '' }], isId: () => false };
  const other: Agent = { ...here, name: 'other', program: { ...claude.program, name: process.execPath, models } };
  const model = (agent: string, name: string) => {
    const input = CONTRACT['session.start'].input.parse({ agent, cwd: tmpdir(), env, model: name });
    return readAgentStart(input, env, { ...parts, agents: { claude: here, other } }).spec.conversation?.model;
  };
  expect(model('other', 'swift')).toBe('other-swift-1');
  expect(() => model('claude', 'swift')).toThrow('"swift" is a model of other, not of claude; use --agent other, or');
  expect(() => model('other', 'nonesuch')).toThrow('there is no model "nonesuch"; use one of: swift, or a full id');
});

test('a short name in the config belongs to its agent, or without an agent to the default one', () => {
  const other: Agent = { ...here, name: 'echo', program: { ...here.program, ...unthinking, name: process.execPath } };
  const models = { mine: 'claude-mine-1', opus: 'claude-mine-2', echo: { loud: 'echo-loud-1', opus: 'echo-opus-1' } };
  const model = (agent: string, name: string, isDefault = 'claude') => {
    const config = readConfig({ ...env, OUTLAST_STATE: '/nonexistent' }, { models, agent: isDefault });
    const input = CONTRACT['session.start'].input.parse({ agent, cwd: tmpdir(), env, model: name });
    return readAgentStart(input, env, { ...parts, config, agents: { claude: here, echo: other } }).spec.conversation
      ?.model;
  };
  expect([model('claude', 'mine'), model('claude', 'opus')]).toEqual(['claude-mine-1', 'claude-mine-2']);
  expect([model('echo', 'loud'), model('echo', 'opus')]).toEqual(['echo-loud-1', 'echo-opus-1']);
  expect(() => model('echo', 'mine')).toThrow('"mine" is a model of claude, not of echo; use --agent claude, or');
  expect(() => model('claude', 'loud')).toThrow('"loud" is a model of echo, not of claude; use --agent echo, or');
  // The default agent is the one that the config names.
  expect(model('echo', 'mine', 'echo')).toBe('claude-mine-1');
  expect(() => model('claude', 'mine', 'echo')).toThrow('"mine" is a model of echo, not of claude');
});

test('the id of a conversation is ours before the launch, or left to an agent that chooses it itself', () => {
  const own: Agent = {
    ...here,
    name: 'own',
    program: { ...here.program, ...claude.program, name: process.execPath, idsChosenBy: 'agent' },
  };
  const choice = (agent: string) => {
    const input = CONTRACT['session.start'].input.parse({ agent, cwd: tmpdir(), env });
    return readAgentStart(input, env, { ...parts, agents: { claude: here, own } }).spec.conversation;
  };
  expect(choice('claude')).toMatchObject({ chosenBy: 'us', id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(choice('own')).toMatchObject({ chosenBy: 'agent', id: null });
});

test('T-START-6: an agent that is not on the PATH is refused with its name, unless it starts later', () => {
  const read = (program: string, more: object = {}) => {
    const input = CONTRACT['session.start'].input.parse({ agent: 'claude', cwd: tmpdir(), env, ...more });
    const row = { session: { id: 'a', spec: { drive: 'turns' } } } as unknown as Row;
    const agents = { claude: claudeAs(program) };
    return readAgentStart(input, env, { ...parts, agents, find: () => row }).warnings;
  };
  const message = /^there is no claude on your PATH\. Install it with `npm install /;
  expect(() => read('no-such-program')).toThrow(expect.objectContaining({ code: 'agent_missing' }));
  expect(() => read('no-such-program')).toThrow(message);
  expect(read('no-such-program', { after: ['a'], prompt: 'go' })[0]).toMatch(message);
  expect(read(process.execPath)).toHaveLength(1);
});
