import { person } from '../../src/core/actor.ts';
// What happens to a session while it is parked, held or being interrupted: it breaks, a person comes, reports come
// twice.
import type { Input } from '../../src/core/event.ts';
import type { PromptId } from '../../src/core/session.ts';
import { live, type Script, turns } from './scripts.ts';

const LIMIT_MS = 600_000;
const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const both = { p1: ['answered'], p2: ['answered'] } as const;
const parked = ['session.limited', 'session.unlimited', 'prompt.sending', 'prompt.answered'] as const;
const limited = { lots: [{ limitedMs: LIMIT_MS }], ends: ['done'], tells: parked } as const;
const handed = [
  { after: 'prompt.accepted', input: { type: 'hand-off', by: person('ana') } },
  { after: 'control.taken', ms: 5_000, input: { type: 'hand-back', by: person('ana') } },
] as const;

export const PARKED_STORIES: readonly Script[] = [
  {
    name: 'liveLimitedKilled',
    spec: live,
    ...limited,
    deeds: [{ after: 'session.limited', ms: 5_000, does: 'kill' }],
    tells: ['session.limited', 'run.faulted', 'run.starting', ...parked],
  },
  {
    name: 'liveHeldKilled',
    spec: live,
    lots: ['billing'],
    deeds: [{ after: 'session.held', ms: 5_000, does: 'kill' }],
    wishes: [{ after: 'session.held', ms: 20_000, input: { type: 'resume', by: person('ana') } }],
    ends: ['done'],
    tells: ['session.held', 'run.faulted', 'run.starting', 'session.held', 'session.released', 'prompt.answered'],
  },
  {
    name: 'liveHangKilled',
    spec: live,
    lots: ['hangDeaf'],
    deeds: [{ after: 'turn.interrupting', ms: 100, does: 'kill' }],
    ends: ['done'],
    tells: ['turn.interrupting', 'run.faulted', 'run.starting', 'prompt.sending', 'prompt.answered'],
  },
  { name: 'liveLimitedDoubled', spec: live, ...limited, doubled: true },
  { name: 'turnsLimitedDoubled', spec: turns, ...limited, doubled: true },
  { name: 'liveLimitedLostStop', spec: live, ...limited, trouble: 'lostStop' },
  { name: 'turnsLimitedLate', spec: turns, ...limited, lagMs: 30 },
  {
    name: 'liveLimitedAttached',
    spec: live,
    ...limited,
    deeds: [
      { after: 'session.limited', ms: 1_000, does: 'attach' },
      { after: 'session.limited', ms: 2_000, does: 'prompt' },
      { after: 'session.limited', ms: 9_000, does: 'leave' },
    ],
    tells: ['session.limited', 'control.taken', 'turn.started', 'control.returned', ...parked.slice(1)],
  },
  { name: 'liveLimitedHandedOff', spec: live, ...limited, wishes: handed },
  { name: 'turnsLimitedHandedOff', spec: turns, ...limited, wishes: handed },
  {
    name: 'liveLimitedSteered',
    mayMix: true,
    spec: live,
    acceptMs: 10,
    workMs: 1_500,
    lots: [{ limitedMs: LIMIT_MS }],
    wishes: [{ after: 'prompt.accepted', ms: 1_100, input: { ...p2, now: true } }],
    ends: ['done'],
    prompts: both,
    tells: ['prompt.troubled', 'prompt.troubled', ...parked],
  },
  {
    name: 'liveHangSteered',
    mayMix: true,
    spec: live,
    acceptMs: 10,
    lots: ['hang'],
    wishes: [{ after: 'prompt.accepted', ms: 1_100, input: { ...p2, now: true } }],
    ends: ['done'],
    prompts: { p1: ['answered'], p2: ['answered', 'none'] },
    tells: ['turn.interrupting', 'prompt.delayed', 'prompt.delayed', 'prompt.answered', 'prompt.answered'],
  },
  {
    name: 'liveLimitedDropped',
    spec: live,
    lots: [{ limitedMs: LIMIT_MS }],
    wishes: [
      { after: 'session.limited', ms: 1_000, input: { type: 'drop', prompt: 'p1' as PromptId, by: person('ana') } },
      { after: 'session.limited', ms: 2_000, input: p2 },
    ],
    ends: ['done'],
    prompts: { p1: ['dropped'], p2: ['answered', 'none'] },
    tells: ['session.limited', 'prompt.dropped', ...parked.slice(1)],
  },
];
