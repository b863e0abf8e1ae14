import { expect, test } from 'vitest';
import { policyInput } from '../../api/policy-shape.ts';
import { readConfig } from '../config/config.ts';
import { agentPolicy, commandPolicy, viewOfPolicy } from './policy.ts';

const env = { HOME: '/home/ada', PATH: '' };
const config = readConfig(env);

test('a session that ends by itself has a deadline of five hours, one that stays open has none, and 0 is none', () => {
  const deadline = (keepOpen: boolean, deadlineMsMax?: number) =>
    agentPolicy({ keepOpen, ...(deadlineMsMax !== undefined && { policy: { deadlineMsMax } }) }, config).deadlineMsMax;
  expect(deadline(false)).toBe(5 * 3_600_000);
  expect(deadline(true)).toBe(null);
  expect(deadline(true, 60_000)).toBe(60_000);
  expect(deadline(false, 0)).toBe(null);
});

test('the defaults match the guide', () => {
  expect(viewOfPolicy(agentPolicy({ keepOpen: false }, config))).toEqual({
    deadlineMsMax: 18_000_000,
    onLimit: 'wait',
    switchBack: false,
    memoryBytesMax: null,
    approvalMsMax: 300_000,
    deferMs: 60_000,
    startMsMax: 60_000,
    acceptMsMax: 10_000,
    idleMsMax: 1_800_000,
    resumes: { max: 10, windowMax: 5, windowMs: 600_000 },
    backoff: { msMin: 1_000, msMax: 300_000 },
    hang: { thinkMsMax: 900_000, toolMsMax: 3_600_000, interruptMsMax: 30_000 },
    budget: { turns: null, tokens: null, usd: null },
  });
});

test('the config provides each number that the caller does not', () => {
  const own = readConfig(
    { ...env, OUTLAST_POLICY_BUDGET_USD: '2.5' },
    { policy: { onLimit: 'ask', hang: { toolMsMax: 7_000 }, resumes: { max: 3 } } },
  );
  const asked = {
    hang: { thinkMsMax: 5_000, interruptMsMax: undefined },
    resumes: { max: undefined },
    budget: { turns: 4 },
  };
  const made = viewOfPolicy(agentPolicy({ keepOpen: true, policy: asked }, own));
  expect(made).toMatchObject({ onLimit: 'ask', budget: { turns: 4, tokens: null, usd: 2.5 } });
  expect(made.hang).toEqual({ thinkMsMax: 5_000, toolMsMax: 7_000, interruptMsMax: 30_000 });
  expect(made.resumes.max).toBe(3);
});

test('a command has the deadline and the memory, and nothing about turns', () => {
  expect(commandPolicy(undefined)).toMatchObject({ deadlineMsMax: null, memoryBytesMax: null, resumesMax: 0 });
  expect(commandPolicy({ memoryBytesMax: 2 ** 30, deadlineMsMax: 5 })).toMatchObject({
    deadlineMsMax: 5,
    memoryBytesMax: 2 ** 30,
  });
  expect(() => commandPolicy({ budget: { turns: 1 } })).toThrow('the policy budget is for agents, not for commands');
});

test.each([
  [{ deadline: 5 }],
  [{ deadlineMsMax: -1 }],
  [{ onLimit: 'never' }],
  [{ memoryBytesMax: 4 }],
  [{ resumes: { max: 1.5 } }],
  [{ hang: { thinkMsMax: 0 } }],
  [{ budget: { usd: -1 } }],
  [{ budget: { euro: 1 } }],
])('an invalid policy is refused: %j', (policy) => {
  expect(policyInput().safeParse(policy).success).toBe(false);
});
