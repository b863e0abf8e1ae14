// A terminal that dies under a live agent, which then exits with 0 as if a person had ended it.
import type { Input } from '../../src/core/event.ts';
import type { PromptId } from '../../src/core/session.ts';
import { live, policy, type Script, stop } from './scripts.ts';

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };

export const TERMINAL_STORIES: readonly Script[] = [
  {
    name: 'liveTerminalDies',
    spec: { ...live, policy: { ...policy, resumesMax: 1 } },
    turnOutcomes: ['answer'],
    personActions: [1, 2, 3].map((nth) => ({ after: 'prompt.accepted', nth, ms: 5, does: 'hangup' }) as const),
    ends: ['done'],
    expectedEvents: ['run.faulted', 'run.starting', 'run.faulted', 'run.starting', 'run.faulted', 'prompt.answered'],
  },
  {
    name: 'liveTerminalDiesIdle',
    spec: { ...live, keepOpen: true },
    turnOutcomes: ['answer'],
    personActions: [{ after: 'prompt.answered', ms: 50, does: 'hangup' }],
    inputs: [
      { after: 'prompt.answered', ms: 2_000, input: p2 },
      { after: 'prompt.answered', nth: 2, ms: 10, input: stop },
    ],
    ends: ['stopped'],
    prompts: { p1: ['answered'], p2: ['answered'] },
    expectedEvents: ['prompt.answered', 'run.faulted', 'run.starting', 'prompt.answered', 'session.closing'],
  },
];
