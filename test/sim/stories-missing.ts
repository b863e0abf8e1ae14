// Conversations whose transcript is gone: no new one is started in their place before a resume allows it.
import { person } from '../../src/core/actor.ts';
import type { Input } from '../../src/core/event.ts';
import type { PromptId } from '../../src/core/session.ts';
import { live, type Script, stop, turns } from './scripts.ts';

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const resume: Input = { type: 'resume', by: person('ana') };
const held = ['prompt.answered', 'usage.counted', 'session.held', 'session.released', 'session.held'] as const;
const queued = { after: 'prompt.accepted', input: p2 } as const;
const both = { p1: ['answered'], p2: ['answered'] } as const;
/** Usage was counted, so the daemon knows that there was a transcript. */
const TROUBLED = { turnOutcomes: ['answer'], usesTokens: true } as const;

export const MISSING_STORIES: readonly Script[] = [live, turns].flatMap((spec): Script[] => {
  const personActions = [
    { after: 'usage.counted', does: 'deleteTranscript' },
    ...(spec.drive === 'live' ? [{ after: 'usage.counted', does: 'kill' } as const] : []),
  ] as const;
  return [
    {
      name: `${spec.drive}Vanished`,
      spec,
      ...TROUBLED,
      personActions,
      inputs: [
        queued,
        { after: 'session.held', ms: 1_000, input: resume },
        { after: 'session.held', nth: 2, ms: 1_000, input: { ...resume, startFresh: true } },
      ],
      ends: ['done'],
      prompts: both,
      expectedEvents: [...held, 'session.released', 'run.starting', 'prompt.answered'],
    },
    {
      name: `${spec.drive}VanishedStopped`,
      spec,
      ...TROUBLED,
      personActions,
      inputs: [queued, { after: 'session.held', ms: 1_000, input: stop }],
      ends: ['stopped'],
      prompts: { p1: ['answered'], p2: ['dropped'] },
      expectedEvents: ['prompt.answered', 'session.held', 'session.ended'],
    },
  ];
});
