// The folder that an agent works in is gone: no run is started there, and callers can still end the session.
import { person } from '../../src/core/actor.ts';
import type { Input } from '../../src/core/event.ts';
import type { PromptId } from '../../src/core/session.ts';
import { live, type Script, stop, turns } from './scripts.ts';

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const resume: Input = { type: 'resume', by: person('ana') };
const queued = { after: 'prompt.accepted', input: p2 } as const;

export const FOLDER_STORIES: readonly Script[] = [live, turns].flatMap((spec): Script[] => {
  const gone = [
    { after: 'prompt.answered', does: 'unmount' },
    ...(spec.drive === 'live' ? [{ after: 'prompt.answered', does: 'kill' } as const] : []),
  ] as const;
  return [
    {
      name: `${spec.drive}FolderBack`,
      spec,
      turnOutcomes: ['answer'],
      personActions: [...gone, { after: 'session.held', nth: 2, does: 'mount' }],
      inputs: [
        queued,
        { after: 'session.held', ms: 500, input: resume },
        { after: 'session.held', nth: 2, ms: 500, input: resume },
      ],
      ends: ['done'],
      prompts: { p1: ['answered'], p2: ['answered'] },
      expectedEvents: [
        'session.held',
        'session.released',
        'session.held',
        'session.released',
        'run.starting',
        'prompt.answered',
      ],
    },
    {
      name: `${spec.drive}FolderGone`,
      spec,
      turnOutcomes: ['answer'],
      personActions: gone,
      inputs: [queued, { after: 'session.held', ms: 500, input: stop }],
      ends: ['stopped'],
      prompts: { p1: ['answered'], p2: ['dropped'] },
      expectedEvents: ['prompt.answered', 'session.held', 'session.ended'],
    },
  ];
});
