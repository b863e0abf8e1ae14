// Another process opens the conversation: one writer at a time, and a process gets no prompt before it has read
// everything.
import type { Input } from '../../src/core/event.ts';
import type { PromptId } from '../../src/core/session.ts';
import { live, type Script, stop, turns, type Wish } from './scripts.ts';

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };

const ELSEWHERE: Pick<Script, 'lots' | 'deeds' | 'ends' | 'prompts'> = {
  lots: ['answer'],
  deeds: [
    { after: 'prompt.answered', ms: 50, does: 'open' },
    { after: 'prompt.answered', ms: 1_500, does: 'shut' },
  ],
  ends: ['stopped'],
  prompts: { p1: ['answered'], p2: ['answered'] },
};
const later = (ms: number): readonly Wish[] => [
  { after: 'prompt.answered', ms, input: p2 },
  { after: 'prompt.answered', nth: 2, ms: 10, input: stop },
];
const RESUMED = ['run.faulted', 'run.starting', 'prompt.sending', 'prompt.answered'] as const;

export const WRITER_STORIES: readonly Script[] = [
  {
    name: 'liveOpenElsewhere',
    spec: { ...live, keepOpen: true },
    ...ELSEWHERE,
    wishes: later(200),
    tells: ['prompt.answered', 'prompt.waiting', ...RESUMED],
  },
  {
    name: 'liveGoneOnElsewhere',
    spec: { ...live, keepOpen: true },
    ...ELSEWHERE,
    wishes: later(3_000),
    tells: ['prompt.answered', ...RESUMED],
    lacks: ['prompt.waiting'],
  },
  {
    name: 'turnsOpenElsewhere',
    spec: { ...turns, keepOpen: true },
    ...ELSEWHERE,
    wishes: later(200),
    tells: ['prompt.answered', 'prompt.waiting', 'prompt.sending', 'run.starting', 'prompt.answered'],
    lacks: ['run.faulted'],
  },
  {
    name: 'liveCrashOpenElsewhere',
    spec: { ...live, keepOpen: true },
    ...ELSEWHERE,
    deeds: [...(ELSEWHERE.deeds ?? []), { after: 'prompt.answered', ms: 100, does: 'kill' }],
    wishes: later(3_000),
    tells: ['run.faulted', 'session.held', 'session.released', 'run.starting', 'prompt.sending', 'prompt.answered'],
  },
];
