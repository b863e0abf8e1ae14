import { person } from '../../src/core/actor.ts';
// Conversations whose file is gone: nothing is started in their place before a resume allows it.
import type { Input } from '../../src/core/event.ts';
import type { PromptId } from '../../src/core/session.ts';
import { live, type Script, stop, turns } from './scripts.ts';

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const resume: Input = { type: 'resume', by: person('ana') };
const held = ['prompt.answered', 'usage.counted', 'session.held', 'session.released', 'session.held'] as const;
const queued = { after: 'prompt.accepted', input: p2 } as const;
const both = { p1: ['answered'], p2: ['answered'] } as const;
/** It is known to be written down by what was counted there. */
const TROUBLED = { lots: ['answer'], uses: true } as const;

export const MISSING_STORIES: readonly Script[] = [live, turns].flatMap((spec): Script[] => {
  const deeds = [
    { after: 'usage.counted', does: 'lose' },
    ...(spec.drive === 'live' ? [{ after: 'usage.counted', does: 'kill' } as const] : []),
  ] as const;
  return [
    {
      name: `${spec.drive}Vanished`,
      spec,
      ...TROUBLED,
      deeds,
      wishes: [
        queued,
        { after: 'session.held', ms: 1_000, input: resume },
        { after: 'session.held', nth: 2, ms: 1_000, input: { ...resume, startFresh: true } },
      ],
      ends: ['done'],
      prompts: both,
      tells: [...held, 'session.released', 'run.starting', 'prompt.answered'],
    },
    {
      name: `${spec.drive}VanishedStopped`,
      spec,
      ...TROUBLED,
      deeds,
      wishes: [queued, { after: 'session.held', ms: 1_000, input: stop }],
      ends: ['stopped'],
      prompts: { p1: ['answered'], p2: ['dropped'] },
      tells: ['prompt.answered', 'session.held', 'session.ended'],
    },
  ];
});
