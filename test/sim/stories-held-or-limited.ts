// What happens to a session while it is held, limited or being interrupted: it crashes, a person attaches, hooks report
// twice.
import { person } from '../../src/core/actor.ts';
import type { Input } from '../../src/core/event.ts';
import type { PromptId } from '../../src/core/session.ts';
import { live, type Script, turns } from './scripts.ts';

const LIMIT_MS = 600_000;
const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const both = { p1: ['answered'], p2: ['answered'] } as const;
const waited = ['session.limited', 'session.unlimited', 'prompt.sending', 'prompt.answered'] as const;
const limited = { turnOutcomes: [{ limitedMs: LIMIT_MS }], ends: ['done'], expectedEvents: waited } as const;
const handed = [
  { after: 'prompt.accepted', input: { type: 'hand-off', by: person('ana') } },
  { after: 'control.taken', ms: 5_000, input: { type: 'hand-back', by: person('ana') } },
] as const;

export const HELD_OR_LIMITED_STORIES: readonly Script[] = [
  {
    name: 'liveLimitedKilled',
    spec: live,
    ...limited,
    personActions: [{ after: 'session.limited', ms: 5_000, does: 'kill' }],
    expectedEvents: ['session.limited', 'run.faulted', 'run.starting', ...waited],
  },
  {
    name: 'liveHeldKilled',
    spec: live,
    turnOutcomes: ['billing'],
    personActions: [{ after: 'session.held', ms: 5_000, does: 'kill' }],
    inputs: [{ after: 'session.held', ms: 20_000, input: { type: 'resume', by: person('ana') } }],
    ends: ['done'],
    expectedEvents: [
      'session.held',
      'run.faulted',
      'run.starting',
      'session.held',
      'session.released',
      'prompt.answered',
    ],
  },
  {
    name: 'liveHangKilled',
    spec: live,
    turnOutcomes: ['hangDeaf'],
    personActions: [{ after: 'turn.interrupting', ms: 100, does: 'kill' }],
    ends: ['done'],
    expectedEvents: ['turn.interrupting', 'run.faulted', 'run.starting', 'prompt.sending', 'prompt.answered'],
  },
  { name: 'liveLimitedDoubled', spec: live, ...limited, hooksReportTwice: true },
  { name: 'turnsLimitedDoubled', spec: turns, ...limited, hooksReportTwice: true },
  { name: 'liveLimitedLostStop', spec: live, ...limited, glitch: 'lostStop' },
  { name: 'turnsLimitedLate', spec: turns, ...limited, lagMs: 30 },
  {
    name: 'liveLimitedAttached',
    spec: live,
    ...limited,
    personActions: [
      { after: 'session.limited', ms: 1_000, does: 'attach' },
      { after: 'session.limited', ms: 2_000, does: 'prompt' },
      { after: 'session.limited', ms: 9_000, does: 'detach' },
    ],
    expectedEvents: ['session.limited', 'control.taken', 'turn.started', 'control.returned', ...waited.slice(1)],
  },
  { name: 'liveLimitedHandedOff', spec: live, ...limited, inputs: handed },
  { name: 'turnsLimitedHandedOff', spec: turns, ...limited, inputs: handed },
  {
    name: 'liveLimitedSteered',
    mayMixReplies: true,
    spec: live,
    acceptMs: 10,
    workMs: 1_500,
    turnOutcomes: [{ limitedMs: LIMIT_MS }],
    inputs: [{ after: 'prompt.accepted', ms: 1_100, input: { ...p2, now: true } }],
    ends: ['done'],
    prompts: both,
    expectedEvents: ['prompt.troubled', 'prompt.troubled', ...waited],
  },
  {
    name: 'liveHangSteered',
    mayMixReplies: true,
    spec: live,
    acceptMs: 10,
    turnOutcomes: ['hang'],
    inputs: [{ after: 'prompt.accepted', ms: 1_100, input: { ...p2, now: true } }],
    ends: ['done'],
    prompts: { p1: ['answered'], p2: ['answered', 'none'] },
    expectedEvents: ['turn.interrupting', 'prompt.delayed', 'prompt.delayed', 'prompt.answered', 'prompt.answered'],
  },
  {
    name: 'liveLimitedDropped',
    spec: live,
    turnOutcomes: [{ limitedMs: LIMIT_MS }],
    inputs: [
      { after: 'session.limited', ms: 1_000, input: { type: 'drop', prompt: 'p1' as PromptId, by: person('ana') } },
      { after: 'session.limited', ms: 2_000, input: p2 },
    ],
    ends: ['done'],
    prompts: { p1: ['dropped'], p2: ['answered', 'none'] },
    expectedEvents: ['session.limited', 'prompt.dropped', ...waited.slice(1)],
  },
];
