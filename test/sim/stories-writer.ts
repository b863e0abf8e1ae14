// Another process opens the conversation. There is one writer at a time, and a process gets no prompt before it has
// read everything.
import type { Input } from '../../src/core/event.ts';
import type { PromptId } from '../../src/core/session.ts';
import { live, type Script, stop, type TimedInput, turns } from './scripts.ts';

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };

const ELSEWHERE: Pick<Script, 'turnOutcomes' | 'personActions' | 'ends' | 'prompts'> = {
  turnOutcomes: ['answer'],
  personActions: [
    { after: 'prompt.answered', ms: 50, does: 'openElsewhere' },
    { after: 'prompt.answered', ms: 1_500, does: 'closeElsewhere' },
  ],
  ends: ['stopped'],
  prompts: { p1: ['answered'], p2: ['answered'] },
};
const later = (ms: number): readonly TimedInput[] => [
  { after: 'prompt.answered', ms, input: p2 },
  { after: 'prompt.answered', nth: 2, ms: 10, input: stop },
];
const RESUMED = ['run.faulted', 'run.starting', 'prompt.sending', 'prompt.answered'] as const;

export const WRITER_STORIES: readonly Script[] = [
  {
    name: 'liveOpenElsewhere',
    spec: { ...live, keepOpen: true },
    ...ELSEWHERE,
    inputs: later(200),
    expectedEvents: ['prompt.answered', 'prompt.waiting', ...RESUMED],
  },
  {
    name: 'liveContinuedElsewhere',
    spec: { ...live, keepOpen: true },
    ...ELSEWHERE,
    inputs: later(3_000),
    expectedEvents: ['prompt.answered', ...RESUMED],
    forbiddenEvents: ['prompt.waiting'],
  },
  {
    name: 'turnsOpenElsewhere',
    spec: { ...turns, keepOpen: true },
    ...ELSEWHERE,
    inputs: later(200),
    expectedEvents: ['prompt.answered', 'prompt.waiting', 'prompt.sending', 'run.starting', 'prompt.answered'],
    forbiddenEvents: ['run.faulted'],
  },
  {
    name: 'liveCrashOpenElsewhere',
    spec: { ...live, keepOpen: true },
    ...ELSEWHERE,
    personActions: [...(ELSEWHERE.personActions ?? []), { after: 'prompt.answered', ms: 100, does: 'kill' }],
    inputs: later(3_000),
    expectedEvents: [
      'run.faulted',
      'session.held',
      'session.released',
      'run.starting',
      'prompt.sending',
      'prompt.answered',
    ],
  },
];
