// Approvals that wait without a process.
import { person } from '../../src/core/actor.ts';
import type { Input } from '../../src/core/event.ts';
import type { PromptId, Spec } from '../../src/core/session.ts';
import { type Script, stop, turns } from './scripts.ts';

const patient: Spec = { ...turns, policy: { ...turns.policy, approvalMsMax: null, deferMs: 200 } };
const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const FIRST = 'p1#';
const waiting = { decide: 'waiting' } as const;

export const DEFERRED_STORIES: readonly Script[] = [
  {
    name: 'turnsDeferred',
    spec: patient,
    tool: true,
    defers: waiting,
    ends: ['done'],
    expectedEvents: [
      ...(['approval.asked', 'approval.deferred', 'turn.deferred', 'run.ended', 'approval.decided'] as const),
      ...(['run.starting', 'approval.repeated', 'prompt.answered'] as const),
    ],
    forbiddenEvents: ['run.faulted', 'approval.missed'],
  },
  // The decision comes while the agent is exiting.
  { name: 'turnsDeferredRace', spec: patient, tool: true, defers: { decide: 'told' }, ends: ['done'] },
  { name: 'turnsDeferredDoubled', spec: patient, tool: true, defers: waiting, hooksReportTwice: true, ends: ['done'] },
  { name: 'turnsDeferredCrash', spec: patient, tool: true, defers: waiting, glitch: 'crash', ends: ['done'] },
  { name: 'turnsDeferredLostStop', spec: patient, tool: true, defers: waiting, glitch: 'lostStop', ends: ['done'] },
  {
    name: 'turnsDeferredInterrupted',
    spec: patient,
    tool: true,
    defers: { ...waiting, never: FIRST },
    inputs: [
      { after: 'turn.deferred', input: p2 },
      { after: 'turn.deferred', ms: 50, input: { type: 'interrupt', by: person('ana') } },
    ],
    ends: ['done'],
    prompts: { p1: ['interrupted'], p2: ['answered'] },
    expectedEvents: ['turn.deferred', 'turn.interrupting', 'prompt.interrupted', 'approval.decided', 'prompt.answered'],
  },
  {
    name: 'turnsDeferredStopped',
    spec: patient,
    tool: true,
    defers: { ...waiting, never: FIRST },
    inputs: [{ after: 'turn.deferred', ms: 50, input: stop }],
    ends: ['stopped'],
    prompts: { p1: ['interrupted'] },
    forbiddenEvents: ['approval.decided'],
  },
];
