// Several prompts, steering, interrupts, dropped prompts, and prompts that wait for other sessions.
import { person } from '../../src/core/actor.ts';
import type { Input } from '../../src/core/event.ts';
import type { PromptId, SessionId, Spec } from '../../src/core/session.ts';
import { conversation, live, type Script, turns } from './scripts.ts';

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const interrupt: Input = { type: 'interrupt', by: person('ana') };
const drop: Input = { type: 'drop', prompt: 'p1' as PromptId, by: person('ana') };
const both = { p1: ['answered'], p2: ['answered'] } as const;

const STEERING: readonly Script[] = [
  {
    name: 'liveQueued',
    spec: live,
    lagMs: 30,
    workMs: 1_000,
    inputs: [{ after: 'prompt.accepted', input: p2 }],
    ends: ['done'],
    prompts: both,
    expectedEvents: ['prompt.accepted', 'prompt.answered', 'prompt.sending', 'prompt.accepted', 'prompt.answered'],
  },
  {
    name: 'turnsQueued',
    spec: turns,
    inputs: [{ after: 'prompt.accepted', input: p2 }],
    ends: ['done'],
    prompts: both,
    expectedEvents: [
      'prompt.accepted',
      'prompt.answered',
      'run.ended',
      'prompt.sending',
      'prompt.accepted',
      'prompt.answered',
    ],
  },
  {
    name: 'liveSteered',
    spec: live,
    acceptMs: 10,
    workMs: 1_500,
    inputs: [{ after: 'prompt.accepted', ms: 1_100, input: { ...p2, now: true } }],
    ends: ['done'],
    prompts: both,
    expectedEvents: ['prompt.accepted', 'prompt.accepted', 'prompt.answered', 'prompt.answered'],
  },
  {
    // Typed while the turn is running, accepted after its end, which no hook has reported.
    name: 'liveSteeredLate',
    spec: live,
    acceptMs: 120,
    workMs: 1_200,
    glitch: 'lostStop',
    mayMixReplies: true,
    inputs: [{ after: 'prompt.accepted', ms: 1_200, input: { ...p2, now: true } }],
    ends: ['done'],
    prompts: both,
  },
  {
    name: 'liveSteeredIntoDraft',
    spec: live,
    acceptMs: 10,
    workMs: 1_500,
    personActions: [
      { after: 'prompt.accepted', ms: 1_000, does: 'draft' },
      { after: 'prompt.accepted', ms: 2_500, does: 'erase' },
    ],
    inputs: [{ after: 'prompt.accepted', ms: 1_100, input: { ...p2, now: true } }],
    ends: ['done'],
    prompts: both,
    expectedEvents: ['prompt.answered', 'prompt.waiting', 'prompt.sending', 'prompt.answered'],
  },
];

const INTERRUPTED: readonly Script[] = [
  {
    name: 'liveInterrupted',
    spec: live,
    inputs: [{ after: 'approval.asked', input: interrupt }],
    ends: ['stopped', 'done'],
    prompts: { p1: ['interrupted', 'answered'] },
    expectedEvents: ['turn.interrupting', 'prompt.interrupted'],
  },
  {
    name: 'liveInterruptedThenNext',
    spec: live,
    inputs: [
      { after: 'approval.asked', input: interrupt },
      { after: 'turn.interrupting', input: p2 },
    ],
    ends: ['done', 'stopped'],
    prompts: { p1: ['interrupted', 'answered'], p2: ['answered', 'none'] },
    expectedEvents: ['prompt.interrupted', 'prompt.sending', 'prompt.answered'],
  },
  {
    name: 'turnsInterrupted',
    spec: turns,
    inputs: [{ after: 'approval.asked', input: interrupt }],
    ends: ['stopped', 'done'],
    prompts: { p1: ['interrupted', 'answered'] },
    expectedEvents: ['turn.interrupting', 'prompt.interrupted', 'run.ended'],
  },
  {
    name: 'liveWithdrawn',
    spec: live,
    inputs: [
      { after: 'prompt.accepted', input: interrupt },
      { after: 'turn.interrupting', input: p2 },
    ],
    ends: ['done', 'stopped'],
    prompts: { p1: ['interrupted', 'answered'], p2: ['answered', 'none'] },
    expectedEvents: ['prompt.interrupted', 'prompt.sending', 'prompt.answered'],
  },
  {
    name: 'liveInterruptedIntoDialog',
    spec: live,
    personActions: [
      { after: 'turn.interrupting', does: 'dialog' },
      { after: 'turn.interrupting', ms: 400, does: 'answer' },
    ],
    inputs: [{ after: 'approval.asked', input: interrupt }],
    ends: ['stopped', 'done'],
    prompts: { p1: ['interrupted', 'answered'] },
    expectedEvents: ['turn.interrupting', 'session.held', 'session.released', 'prompt.interrupted'],
  },
];

const DROPPED: readonly Script[] = [
  {
    name: 'liveDropped',
    spec: live,
    glitch: 'deaf',
    inputs: [
      { after: 'prompt.sending', input: p2 },
      { after: 'prompt.unsure', input: drop },
    ],
    ends: ['done', 'stopped'],
    prompts: { p1: ['dropped', 'answered', 'none'], p2: ['answered', 'dropped', 'none'] },
    expectedEvents: ['prompt.unsure', 'prompt.dropped', 'prompt.sending', 'prompt.answered'],
  },
];

const later = (spec: Spec): Spec => ({
  ...spec,
  conversation: { ...conversation, trusted: true, after: ['s0' as SessionId] },
});
const filled = { is: 'met', texts: [{ prompt: 'p1' as PromptId, text: 'Fix what s0 found' }] } as const;
const met = {
  follows: { ms: 500, snapshot: filled },
  texts: { p1: 'Fix what s0 found' },
  ends: ['done'],
  expectedEvents: ['session.followed', 'prompt.sending', 'prompt.answered'],
} as const;
const unmet = {
  follows: { ms: 500, snapshot: { is: 'failed', why: 's0 was stopped' } },
  ends: ['abandoned'],
  prompts: { p1: ['none'] },
} as const;

const FOLLOWED: readonly Script[] = [
  { name: 'liveAfter', spec: later(live), ...met },
  { name: 'turnsAfter', spec: later(turns), ...met },
  { name: 'liveAfterFailed', spec: later(live), ...unmet },
  { name: 'turnsAfterFailed', spec: later(turns), ...unmet },
];

export const PROMPT_STORIES: readonly Script[] = [...STEERING, ...INTERRUPTED, ...DROPPED, ...FOLLOWED];
