// Runs that report something and end during a look.
import { live, type Script, turns } from './scripts.ts';

export const INGEST_STORIES: readonly Script[] = [
  {
    name: 'liveExitsWhileLookedAt',
    spec: live,
    lookMs: 20,
    personActions: [{ after: 'approval.asked', ms: 5, does: 'exit' }],
    ends: ['stopped', 'done'],
    prompts: { p1: ['none', 'answered'] },
    forbiddenEvents: ['run.faulted'],
  },
  {
    name: 'turnsEndsWhileLookedAt',
    spec: turns,
    lookMs: 20,
    lagMs: 2_000,
    ends: ['done'],
    expectedEvents: ['prompt.accepted', 'approval.asked', 'approval.decided', 'prompt.answered'],
    forbiddenEvents: ['run.faulted'],
  },
];
