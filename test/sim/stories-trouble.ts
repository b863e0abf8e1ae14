import { person } from '../../src/core/actor.ts';
// Turns that fail: usage limits, overload, logins, budgets, and what only a person can mend.
import type { Input } from '../../src/core/event.ts';
import type { PromptId, Spec } from '../../src/core/session.ts';
import type { Lot } from './lots.ts';
import { live, policy, type Script, stop, turns } from './scripts.ts';

const resume: Input = { type: 'resume', by: person('ana') };
const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const resumed = [{ after: 'session.held', ms: 1_000, input: resume }] as const;
const bounded = (spec: Spec, more: Partial<Spec['policy']>): Spec => ({ ...spec, policy: { ...policy, ...more } });
const LIMIT_MS = 600_000;

const parked = [
  'prompt.troubled',
  'session.limited',
  'session.unlimited',
  'prompt.sending',
  'prompt.answered',
] as const;
const limited = { lots: [{ limitedMs: LIMIT_MS }], ends: ['done'], tells: parked, says: { 'p1#2': /Fix/ } } as const;

const LIMITS: readonly Script[] = [
  { name: 'liveLimited', spec: live, ...limited },
  { name: 'turnsLimited', spec: turns, ...limited },
  // The wall clock advances while the machine sleeps.
  { name: 'turnsLimitedNap', spec: turns, ...limited, napMs: LIMIT_MS - 60_000 },
  {
    name: 'liveLimitMoved',
    spec: live,
    lots: [{ limitedMs: LIMIT_MS }, { limitedMs: 2 * LIMIT_MS }],
    ends: ['done'],
    tells: [...parked.slice(0, 4), ...parked] as const,
  },
  {
    name: 'turnsLimitMoved',
    spec: turns,
    lots: [{ limitedMs: 1_000 }, { limitedMs: LIMIT_MS }],
    ends: ['done'],
    tells: [...parked.slice(0, 4), ...parked] as const,
  },
  { name: 'liveLimitUnknown', spec: live, lots: [{ limitedMs: null }], ends: ['done'], tells: parked },
  { name: 'turnsLimitUnknown', spec: turns, lots: [{ limitedMs: null }], ends: ['done'], tells: parked },
  {
    name: 'liveLimitResumed',
    spec: live,
    lots: [{ limitedMs: 99 * LIMIT_MS }],
    wishes: [
      { after: 'session.limited', ms: 1_000, input: resume },
      // Long before the limit ends, and long after it has gone on.
      { after: 'session.limited', ms: 20 * 60_000, input: stop },
    ],
    ends: ['done'],
    tells: parked,
  },
  {
    name: 'turnsLimitStops',
    spec: bounded(turns, { onLimit: 'stop' }),
    lots: [{ limitedMs: LIMIT_MS }],
    ends: ['failed'],
    prompts: { p1: ['failed'] },
  },
  {
    name: 'liveLimitAsks',
    spec: bounded(live, { onLimit: 'ask' }),
    lots: [{ limitedMs: LIMIT_MS }],
    wishes: resumed,
    ends: ['done'],
    tells: ['session.held', 'session.released', 'prompt.sending', 'prompt.answered'],
  },
  {
    name: 'liveLimitOfOthers',
    spec: live,
    account: { is: 'limited', ms: LIMIT_MS },
    ends: ['done'],
    tells: ['session.limited', 'session.unlimited', 'prompt.sending', 'prompt.answered'],
  },
  {
    name: 'turnsLimitOfOthers',
    spec: turns,
    account: { is: 'limited', ms: LIMIT_MS },
    ends: ['done'],
    tells: ['session.limited', 'session.unlimited', 'prompt.sending', 'prompt.answered'],
  },
  ...[live, turns].map(
    (spec): Script => ({
      name: `${spec.drive}LimitAnswered`,
      spec,
      account: { is: 'limited', ms: 9 * LIMIT_MS, answeredMs: 100_000 },
      ends: ['done'],
      tells: ['session.limited', 'session.unlimited', 'prompt.sending', 'prompt.answered'],
    }),
  ),
];

const again = ['prompt.troubled', 'prompt.delayed', 'prompt.sending'] as const;
const OVERLOADS: readonly Script[] = [
  {
    name: 'liveOverloaded',
    spec: live,
    lots: ['overloaded', 'overloaded'],
    ends: ['done'],
    tells: [...again, ...again, 'prompt.answered'],
  },
  {
    name: 'turnsOverloaded',
    spec: turns,
    lots: ['overloaded', 'overloaded'],
    ends: ['done'],
    tells: [...again, ...again, 'prompt.answered'],
  },
  ...[live, turns].map(
    (spec): Script => ({
      name: `${spec.drive}OverloadedForever`,
      spec: bounded(spec, { resumesMax: 3 }),
      lots: ['overloaded'],
      forever: true,
      ends: ['failed'],
      prompts: { p1: ['failed'] },
      tells: [...again, ...again, ...again, 'prompt.troubled', 'prompt.failed'],
    }),
  ),
];

const held = ['prompt.troubled', 'session.held', 'session.released', 'prompt.sending', 'prompt.answered'] as const;
const word = (name: string, spec: Spec, lot: Lot): Script => ({
  ...{ name, spec, lots: [lot], wishes: resumed, ends: ['done'], tells: held },
});
const LOGINS: readonly Script[] = [
  word('liveLoginResumed', live, 'login'),
  word('turnsLoginResumed', turns, 'login'),
  ...[live, turns].map(
    (spec): Script => ({
      name: `${spec.drive}LoginProbed`,
      spec,
      lots: ['login', 'login'],
      ends: ['done'],
      tells: [...held.slice(0, 4), ...held] as const,
    }),
  ),
  {
    name: 'liveLoginOfOthers',
    spec: live,
    account: { is: 'failed', ms: 900_000 },
    ends: ['done'],
    tells: held.slice(1),
  },
  {
    name: 'turnsLoginOfOthers',
    spec: turns,
    account: { is: 'failed', ms: 9_000 },
    ends: ['done'],
    tells: held.slice(1),
  },
  { name: 'turnsLoginProbedByOthers', spec: turns, account: { is: 'probing', ms: 5_000 }, ends: ['done'] },
  word('liveBilling', live, 'billing'),
  word('turnsBilling', turns, 'billing'),
];

const budget = (spec: Spec): Spec => bounded(spec, { budget: { turns: 1, tokens: null, usd: null } });
const both = { p1: ['answered'], p2: ['answered'] } as const;
const BUDGETS: readonly Script[] = [live, turns].map(
  (spec): Script => ({
    name: `${spec.drive}Budget`,
    spec: budget(spec),
    uses: true,
    wishes: [{ after: 'prompt.accepted', input: p2 }, ...resumed],
    ends: ['done'],
    prompts: both,
    tells: ['prompt.answered', 'usage.counted', 'session.held', 'session.released', 'prompt.answered', 'usage.counted'],
  }),
);

export const TROUBLE_STORIES: readonly Script[] = [...LIMITS, ...OVERLOADS, ...LOGINS, ...BUDGETS];
