import type { StartInput } from '../../client/index.ts';
import { monitorSettings } from '../../compat/monitor.ts';
import type { Values } from '../base/command.ts';
import { countOf, durationOf } from '../base/duration.ts';
import { wrongCall } from '../base/parse.ts';

/** Limits of a session: options of `run` and `start`. */
export const POLICY_OPTIONS = {
  deadline: {
    type: 'string',
    value: 'D',
    sentence: 'Time limit, excluding sleep; 0 is none.',
    otherwise: '5h, or none if it stays open',
  },
  'on-limit': {
    type: 'string',
    value: 'HOW',
    completes: ['wait', 'stop', 'ask', 'switch:'],
    sentence: 'At a usage limit: wait until it resets, stop, ask a person, or switch:AGENT[,AGENT].',
    otherwise: 'wait',
  },
  'switch-back': { type: 'boolean', sentence: 'After a switch: go back to the first agent when its limit is over.' },
  'budget-turns': { type: 'string', value: 'N', sentence: 'Hold after N turns.' },
  'budget-tokens': { type: 'string', value: 'N', sentence: 'Hold after N tokens.' },
  'budget-usd': { type: 'string', value: 'N', sentence: 'Hold after N dollars.' },
  resumes: { type: 'string', value: 'N', sentence: 'Maximum automatic restarts after faults.', otherwise: '10' },
  memory: { type: 'string', value: 'SIZE', sentence: 'Memory limit of a run, such as 4g.', otherwise: 'none' },
  'hang-after': {
    type: 'string',
    value: 'D',
    sentence: 'No progress for D counts as a hang.',
    otherwise: '15m',
  },
  'tool-hang-after': {
    type: 'string',
    value: 'D',
    sentence: 'No progress for D while a tool runs counts as a hang.',
    otherwise: '1h',
  },
} as const;

type PolicyInput = NonNullable<StartInput['policy']>;

/** The policy according to the options, else to the variables of the earlier system; missing when neither is set. */
export function policyInput(
  values: Values<typeof POLICY_OPTIONS>,
  env: Readonly<Record<string, string | undefined>>,
): { readonly policy?: PolicyInput } {
  const earlier = monitorSettings(env);
  const policy = saidOf({
    deadlineMsMax: durationOf('--deadline', values.deadline) ?? earlier.deadlineMs,
    onLimit: onLimitOf(values['on-limit']),
    switchBack: values['switch-back'] ? true : undefined,
    memoryBytesMax: values.memory === undefined ? undefined : bytesOf('--memory', values.memory),
    resumes: part({ max: countOf('--resumes', values.resumes) ?? earlier.resumesMax }),
    backoff: part({ msMin: earlier.backoffMsMin, msMax: earlier.backoffMsMax }),
    hang: part({
      thinkMsMax: durationOf('--hang-after', values['hang-after']),
      toolMsMax: durationOf('--tool-hang-after', values['tool-hang-after']),
      interruptMsMax: earlier.interruptMsMax,
    }),
    budget: part({
      turns: countOf('--budget-turns', values['budget-turns']),
      tokens: countOf('--budget-tokens', values['budget-tokens']),
      usd: usdOf(values['budget-usd']),
    }),
  });
  return Object.keys(policy).length === 0 ? {} : { policy: policy as PolicyInput };
}

function onLimitOf(word: string | undefined): PolicyInput['onLimit'] {
  if (word === undefined || word === 'wait' || word === 'stop' || word === 'ask') return word;
  if (/^switch:[a-z0-9-]+(,[a-z0-9-]+)*$/.test(word)) return word as PolicyInput['onLimit'];
  throw wrongCall(`--on-limit: "${word}" is not one of wait, stop, ask and switch:AGENT[,AGENT]`);
}

function usdOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(word))
    throw wrongCall(`--budget-usd: "${word}" is not a valid amount; write it like 2.50`);
  return Number(word);
}

const UNIT_BYTES: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

/** Bytes of a size such as `512m` or `4g`. */
export function bytesOf(option: string, word: string): number {
  const match = /^(\d{1,15}(?:\.\d{1,3})?)([kmgt]?)(?:i?b)?$/i.exec(word);
  if (match === null) throw wrongCall(`${option}: "${word}" is not a valid size; write it like 512m or 4g`);
  return Math.round(Number(match[1]) * (UNIT_BYTES[(match[2] ?? '').toLowerCase()] ?? 1));
}

function part<T extends object>(fields: T): Partial<T> | undefined {
  const said = saidOf(fields);
  return Object.keys(said).length === 0 ? undefined : said;
}

function saidOf<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
