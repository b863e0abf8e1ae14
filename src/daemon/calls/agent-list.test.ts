import { expect, test } from 'vitest';
import { agentVersions } from '../../../scripts/agents.ts';
import { allAgents } from '../../agent/all.ts';
import { knownAgents } from '../../agent/known.ts';
import { CAPABILITY_NAMES } from '../../agent/seam/capabilities.ts';
import { supportOf } from '../../agent/support.ts';
import { toldOf } from './agent-list.ts';

const ALL = supportOf(knownAgents(allAgents('node', (own) => `${own}.js`)));
const claude = ALL.find(({ name }) => name === 'claude');

test('every agent has each capability, or a reason why not', () => {
  const open = ALL.flatMap(({ name, has, lacks }) =>
    CAPABILITY_NAMES.filter((each) => has.includes(each) === (lacks[each] !== undefined)).map((each) => [name, each]),
  );
  expect(open).toEqual([]);
});

test('the versions of Claude Code that count as tested are those that the tests run', () => {
  expect(claude?.versions).toEqual(agentVersions());
});

test.each([
  ...agentVersions().map((version) => [version, 'tested'] as const),
  ['2.1.250', 'untested'],
  ['3.0.0', 'untested'],
  ['2.1.99', 'too-old'],
  [null, 'unknown'],
] as const)('version %s of Claude Code is %s', (version, known) => {
  if (claude === undefined) throw new Error('there is no Claude Code');
  const listed = toldOf(claude, { path: '/bin/claude', version });
  expect(listed.installed).toEqual({ path: '/bin/claude', version, known });
  expect(toldOf(claude, null).installed).toBeNull();
});

test('an agent that asks by messages reports that its gate works only in messages', () => {
  const gateOf = (agent: string) => {
    const support = ALL.find(({ name }) => name === agent);
    if (support === undefined) throw new Error(`there is no ${agent}`);
    return toldOf(support, null).capabilities.find(({ name }) => name === 'gate');
  };
  expect(gateOf('echo')).toMatchObject({ works: true, only: 'in messages', why: null });
  expect(gateOf('claude')).toMatchObject({ works: true, only: null });
});

test('an agent that is only read is listed as such, with the reason why it cannot be gated', () => {
  if (claude === undefined) throw new Error('there is no Claude Code');
  const why = 'Outlast does not start it yet';
  const { started, capabilities } = toldOf(
    { ...claude, isStarted: false, has: ['record'], lacks: { gate: why } },
    null,
  );
  expect(started).toBe(false);
  expect(capabilities.find(({ name }) => name === 'gate')).toMatchObject({ works: false, why });
});
