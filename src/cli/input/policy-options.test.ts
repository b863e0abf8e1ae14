import { expect, test } from 'vitest';
import { monitorWarning } from '../../compat/monitor.ts';
import { bytesOf, POLICY_OPTIONS, policyInput } from './policy-options.ts';

const NOTHING = Object.fromEntries(Object.keys(POLICY_OPTIONS).map((name) => [name, undefined]));
type Given = Parameters<typeof policyInput>[0];
const read = (flags: Partial<Given>, env: Record<string, string> = {}) =>
  policyInput({ ...NOTHING, ...flags } as Given, env).policy;

test('without flags, everything is left to the config', () => {
  expect(read({})).toBe(undefined);
});

test('each flag is one number of the policy', () => {
  const flags = { deadline: '5h', 'on-limit': 'ask', resumes: '3', memory: '4g', 'hang-after': '15m' };
  const budget = { 'budget-turns': '7', 'budget-tokens': '100000', 'budget-usd': '2.50' };
  expect(read({ ...flags, ...budget, 'tool-hang-after': '1h' })).toEqual({
    deadlineMsMax: 18_000_000,
    onLimit: 'ask',
    memoryBytesMax: 4 * 1024 ** 3,
    resumes: { max: 3 },
    hang: { thinkMsMax: 900_000, toolMsMax: 3_600_000 },
    budget: { turns: 7, tokens: 100_000, usd: 2.5 },
  });
  expect(read({ deadline: '0' })).toEqual({ deadlineMsMax: 0 });
});

test('variables of the earlier system are read in seconds, and a flag overrides them', () => {
  const env = {
    MONITOR_BASE_INTERVAL: '2',
    MONITOR_MAX_INTERVAL: '60',
    MONITOR_DEADLINE: '7200',
    MONITOR_GRACE_PERIOD: '5',
    MONITOR_MAX_RETRIES: '4',
  };
  expect(read({}, env)).toEqual({
    deadlineMsMax: 7_200_000,
    resumes: { max: 4 },
    backoff: { msMin: 2_000, msMax: 60_000 },
    hang: { interruptMsMax: 5_000 },
  });
  expect(read({ deadline: '1h', resumes: '0' }, env)).toMatchObject({ deadlineMsMax: 3_600_000, resumes: { max: 0 } });
  expect(monitorWarning(env)).toBe(null);
});

test('variables without an effect are reported in one line', () => {
  expect(monitorWarning({})).toBe(null);
  expect(monitorWarning({ MONITOR_DISPATCH_WAIT: '10' })).toContain('MONITOR_DISPATCH_WAIT has no effect');
  const both = monitorWarning({ MONITOR_DISPATCH_WAIT: '10', MONITOR_DEADLINE: '5h', MONITOR_MAX_RETRIES: '' });
  expect(both).toMatch(/^MONITOR_DISPATCH_WAIT has no effect[^\n]*; MONITOR_DEADLINE ignored: not a whole number$/);
  expect(read({}, { MONITOR_DEADLINE: '5h' })).toBe(undefined);
});

test.each([
  ['512m', 512 * 1024 ** 2],
  ['1.5G', 1.5 * 1024 ** 3],
  ['4GiB', 4 * 1024 ** 3],
  ['0', 0],
])('%s is a size', (word, bytes) => {
  expect(bytesOf('--memory', word)).toBe(bytes);
});

test.each([
  [{ memory: '4 g' }, 'not a valid size'],
  [{ 'on-limit': 'never' }, 'not one of wait, stop, ask and switch:AGENT[,AGENT]'],
  [{ 'budget-usd': '$2' }, 'not a valid amount'],
  [{ 'budget-turns': 'many' }, 'not a whole number'],
  [{ deadline: '5' }, 'not a valid duration'],
])('%j is refused', (flags, why) => {
  expect(() => read(flags)).toThrow(why);
});
