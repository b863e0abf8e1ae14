// Runs that report something and end while we look at them.
import { live, type Script, turns } from './scripts.ts';

export const INGEST_STORIES: readonly Script[] = [
  {
    name: 'liveExitsWhileLookedAt',
    spec: live,
    lookMs: 20,
    deeds: [{ after: 'approval.asked', ms: 5, does: 'exit' }],
    ends: ['stopped', 'done'],
    prompts: { p1: ['none', 'answered'] },
    lacks: ['run.faulted'],
  },
  {
    name: 'turnsEndsWhileLookedAt',
    spec: turns,
    lookMs: 20,
    lagMs: 2_000,
    ends: ['done'],
    tells: ['prompt.accepted', 'approval.asked', 'approval.decided', 'prompt.answered'],
    lacks: ['run.faulted'],
  },
];
