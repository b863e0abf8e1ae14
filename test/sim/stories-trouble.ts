// Turns that fail: usage limits, overload, logins, budgets, and troubles that only a person can fix.
import { person } from '../../src/core/actor.ts';
import type { Input } from '../../src/core/event.ts';
import type { PromptId, Spec } from '../../src/core/session.ts';
import { live, policy, type Script, stop, turns } from './scripts.ts';
import type { TurnOutcome } from './turn-outcomes.ts';

const resume: Input = { type: 'resume', by: person('ana') };
const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const resumed = [{ after: 'session.held', ms: 1_000, input: resume }] as const;
const bounded = (spec: Spec, more: Partial<Spec['policy']>): Spec => ({ ...spec, policy: { ...policy, ...more } });
const LIMIT_MS = 600_000;

const waited = [
  'prompt.troubled',
  'session.limited',
  'session.unlimited',
  'prompt.sending',
  'prompt.answered',
] as const;
const limited = {
  turnOutcomes: [{ limitedMs: LIMIT_MS }],
  ends: ['done'],
  expectedEvents: waited,
  promptPatterns: { 'p1#2': /Fix/ },
} as const;

const LIMITS: readonly Script[] = [
  { name: 'liveLimited', spec: live, ...limited },
  { name: 'turnsLimited', spec: turns, ...limited },
  // The wall clock advances while the machine sleeps.
  { name: 'turnsLimitedSleep', spec: turns, ...limited, sleepMs: LIMIT_MS - 60_000 },
  {
    name: 'liveLimitMoved',
    spec: live,
    turnOutcomes: [{ limitedMs: LIMIT_MS }, { limitedMs: 2 * LIMIT_MS }],
    ends: ['done'],
    expectedEvents: [...waited.slice(0, 4), ...waited] as const,
  },
  {
    name: 'turnsLimitMoved',
    spec: turns,
    turnOutcomes: [{ limitedMs: 1_000 }, { limitedMs: LIMIT_MS }],
    ends: ['done'],
    expectedEvents: [...waited.slice(0, 4), ...waited] as const,
  },
  { name: 'liveLimitUnknown', spec: live, turnOutcomes: [{ limitedMs: null }], ends: ['done'], expectedEvents: waited },
  {
    name: 'turnsLimitUnknown',
    spec: turns,
    turnOutcomes: [{ limitedMs: null }],
    ends: ['done'],
    expectedEvents: waited,
  },
  {
    name: 'liveLimitResumed',
    spec: live,
    turnOutcomes: [{ limitedMs: 99 * LIMIT_MS }],
    inputs: [
      { after: 'session.limited', ms: 1_000, input: resume },
      // Long before the limit ends, and long after the session has continued.
      { after: 'session.limited', ms: 20 * 60_000, input: stop },
    ],
    ends: ['done'],
    expectedEvents: waited,
  },
  {
    name: 'turnsLimitStops',
    spec: bounded(turns, { onLimit: 'stop' }),
    turnOutcomes: [{ limitedMs: LIMIT_MS }],
    ends: ['failed'],
    prompts: { p1: ['failed'] },
  },
  {
    name: 'liveLimitAsks',
    spec: bounded(live, { onLimit: 'ask' }),
    turnOutcomes: [{ limitedMs: LIMIT_MS }],
    inputs: resumed,
    ends: ['done'],
    expectedEvents: ['session.held', 'session.released', 'prompt.sending', 'prompt.answered'],
  },
  {
    name: 'liveLimitOfOthers',
    spec: live,
    account: { is: 'limited', ms: LIMIT_MS },
    ends: ['done'],
    expectedEvents: ['session.limited', 'session.unlimited', 'prompt.sending', 'prompt.answered'],
  },
  {
    name: 'turnsLimitOfOthers',
    spec: turns,
    account: { is: 'limited', ms: LIMIT_MS },
    ends: ['done'],
    expectedEvents: ['session.limited', 'session.unlimited', 'prompt.sending', 'prompt.answered'],
  },
  ...[live, turns].map(
    (spec): Script => ({
      name: `${spec.drive}LimitAnswered`,
      spec,
      account: { is: 'limited', ms: 9 * LIMIT_MS, answeredMs: 100_000 },
      ends: ['done'],
      expectedEvents: ['session.limited', 'session.unlimited', 'prompt.sending', 'prompt.answered'],
    }),
  ),
];

const again = ['prompt.troubled', 'prompt.delayed', 'prompt.sending'] as const;
const OVERLOADS: readonly Script[] = [
  {
    name: 'liveOverloaded',
    spec: live,
    turnOutcomes: ['overloaded', 'overloaded'],
    ends: ['done'],
    expectedEvents: [...again, ...again, 'prompt.answered'],
  },
  {
    name: 'turnsOverloaded',
    spec: turns,
    turnOutcomes: ['overloaded', 'overloaded'],
    ends: ['done'],
    expectedEvents: [...again, ...again, 'prompt.answered'],
  },
  ...[live, turns].map(
    (spec): Script => ({
      name: `${spec.drive}OverloadedForever`,
      spec: bounded(spec, { resumesMax: 3 }),
      turnOutcomes: ['overloaded'],
      forever: true,
      ends: ['failed'],
      prompts: { p1: ['failed'] },
      expectedEvents: [...again, ...again, ...again, 'prompt.troubled', 'prompt.failed'],
    }),
  ),
];

const held = ['prompt.troubled', 'session.held', 'session.released', 'prompt.sending', 'prompt.answered'] as const;
const heldUntilResumed = (name: string, spec: Spec, outcome: TurnOutcome): Script => ({
  ...{ name, spec, turnOutcomes: [outcome], inputs: resumed, ends: ['done'], expectedEvents: held },
});
const LOGINS: readonly Script[] = [
  heldUntilResumed('liveLoginResumed', live, 'login'),
  heldUntilResumed('turnsLoginResumed', turns, 'login'),
  ...[live, turns].map(
    (spec): Script => ({
      name: `${spec.drive}LoginProbed`,
      spec,
      turnOutcomes: ['login', 'login'],
      ends: ['done'],
      expectedEvents: [...held.slice(0, 4), ...held] as const,
    }),
  ),
  {
    name: 'liveLoginOfOthers',
    spec: live,
    account: { is: 'failed', ms: 900_000 },
    ends: ['done'],
    expectedEvents: held.slice(1),
  },
  {
    name: 'turnsLoginOfOthers',
    spec: turns,
    account: { is: 'failed', ms: 9_000 },
    ends: ['done'],
    expectedEvents: held.slice(1),
  },
  { name: 'turnsLoginProbedByOthers', spec: turns, account: { is: 'probing', ms: 5_000 }, ends: ['done'] },
  heldUntilResumed('liveBilling', live, 'billing'),
  heldUntilResumed('turnsBilling', turns, 'billing'),
];

const budget = (spec: Spec): Spec => bounded(spec, { budget: { turns: 1, tokens: null, usd: null } });
const both = { p1: ['answered'], p2: ['answered'] } as const;
const BUDGETS: readonly Script[] = [live, turns].map(
  (spec): Script => ({
    name: `${spec.drive}Budget`,
    spec: budget(spec),
    usesTokens: true,
    inputs: [{ after: 'prompt.accepted', input: p2 }, ...resumed],
    ends: ['done'],
    prompts: both,
    expectedEvents: [
      'prompt.answered',
      'usage.counted',
      'session.held',
      'session.released',
      'prompt.answered',
      'usage.counted',
    ],
  }),
);

export const TROUBLE_STORIES: readonly Script[] = [...LIMITS, ...OVERLOADS, ...LOGINS, ...BUDGETS];
