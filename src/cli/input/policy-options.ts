import type { StartInput } from '../../client/index.ts';
import type { Values } from '../base/command.ts';
import { countOf, durationOf } from '../base/duration.ts';
import { wrongCall } from '../base/parse.ts';

/** How far a session may go by itself: flags of `run` and `start`. */
export const POLICY_OPTIONS = {
  deadline: {
    type: 'string',
    value: 'D',
    sentence: 'Give it up after so much awake time; 0 is never.',
    otherwise: '5h, or never when it stays open',
  },
  'on-limit': {
    type: 'string',
    value: 'HOW',
    sentence: 'At a usage limit: wait until it ends, stop, or ask a person.',
    otherwise: 'wait',
  },
  'budget-turns': { type: 'string', value: 'N', sentence: 'Pause and ask after so many turns.' },
  'budget-tokens': { type: 'string', value: 'N', sentence: 'Pause and ask after so many tokens.' },
  'budget-usd': { type: 'string', value: 'N', sentence: 'Pause and ask after so many dollars.' },
  resumes: { type: 'string', value: 'N', sentence: 'Take it up again after faults at most so often.', otherwise: '10' },
  memory: { type: 'string', value: 'SIZE', sentence: 'End a run that uses more, such as 4g.', otherwise: 'no bound' },
  'hang-after': {
    type: 'string',
    value: 'D',
    sentence: 'A turn that gets on with nothing for so long hangs.',
    otherwise: '15m',
  },
  'tool-hang-after': { type: 'string', value: 'D', sentence: 'The same while a tool is at work.', otherwise: '1h' },
} as const;

type PolicyInput = NonNullable<StartInput['policy']>;
type Environment = Readonly<Record<string, string | undefined>>;

/** What the flags say about the policy, else the variables of the earlier system; missing when nobody says anything. */
export function policyInput(
  values: Values<typeof POLICY_OPTIONS>,
  env: Environment,
): { readonly policy?: PolicyInput } {
  const policy = saidOf({
    deadlineMsMax: durationOf('--deadline', values.deadline) ?? secondsOf(env, 'MONITOR_DEADLINE'),
    onLimit: onLimitOf(values['on-limit']),
    memoryBytesMax: values.memory === undefined ? undefined : bytesOf('--memory', values.memory),
    resumes: part({ max: countOf('--resumes', values.resumes) ?? numberOf(env, 'MONITOR_MAX_RETRIES') }),
    backoff: part({
      msMin: secondsOf(env, 'MONITOR_BASE_INTERVAL'),
      msMax: secondsOf(env, 'MONITOR_MAX_INTERVAL'),
    }),
    hang: part({
      thinkMsMax: durationOf('--hang-after', values['hang-after']),
      toolMsMax: durationOf('--tool-hang-after', values['tool-hang-after']),
      interruptMsMax: secondsOf(env, 'MONITOR_GRACE_PERIOD'),
    }),
    budget: part({
      turns: countOf('--budget-turns', values['budget-turns']),
      tokens: countOf('--budget-tokens', values['budget-tokens']),
      usd: usdOf(values['budget-usd']),
    }),
  });
  return Object.keys(policy).length === 0 ? {} : { policy: policy as PolicyInput };
}

/** Variables of the earlier system that mean something here; docs/guides/recovery.md says what. */
const KNOWN = [
  'MONITOR_BASE_INTERVAL',
  'MONITOR_MAX_INTERVAL',
  'MONITOR_DEADLINE',
  'MONITOR_GRACE_PERIOD',
  'MONITOR_MAX_RETRIES',
];
const WITHOUT_EFFECT = 'MONITOR_DISPATCH_WAIT';

/** One line about variables of the earlier system that change nothing; null when there are none. */
export function policyWarning(env: Environment): string | null {
  const unread = KNOWN.filter((name) => isSet(env, name) && numberOf(env, name) === undefined);
  const vain = isSet(env, WITHOUT_EFFECT) ? [`${WITHOUT_EFFECT} has no effect: nothing is resumed on a timer`] : [];
  const wrong = unread.length === 0 ? [] : [`${unread.join(', ')} not read: no whole number`];
  const both = [...vain, ...wrong];
  return both.length === 0 ? null : both.join('; ');
}

function isSet(env: Environment, name: string): boolean {
  return (env[name] ?? '') !== '';
}

function numberOf(env: Environment, name: string): number | undefined {
  const word = env[name] ?? '';
  return /^\d{1,9}$/.test(word) ? Number(word) : undefined;
}

function secondsOf(env: Environment, name: string): number | undefined {
  const seconds = numberOf(env, name);
  return seconds === undefined ? undefined : seconds * 1_000;
}

function onLimitOf(word: string | undefined): PolicyInput['onLimit'] {
  if (word === undefined || word === 'wait' || word === 'stop' || word === 'ask') return word;
  throw wrongCall(`--on-limit: "${word}" is none of wait, stop and ask`);
}

function usdOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(word)) throw wrongCall(`--budget-usd: "${word}" is no amount; write it like 2.50`);
  return Number(word);
}

const UNIT_BYTES: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

/** Bytes of a size such as `512m` or `4g`. */
export function bytesOf(option: string, word: string): number {
  const match = /^(\d{1,15}(?:\.\d{1,3})?)([kmgt]?)(?:i?b)?$/i.exec(word);
  if (match === null) throw wrongCall(`${option}: "${word}" is no size; write it like 512m or 4g`);
  return Math.round(Number(match[1]) * (UNIT_BYTES[(match[2] ?? '').toLowerCase()] ?? 1));
}

function part<T extends object>(fields: T): Partial<T> | undefined {
  const said = saidOf(fields);
  return Object.keys(said).length === 0 ? undefined : said;
}

function saidOf<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
