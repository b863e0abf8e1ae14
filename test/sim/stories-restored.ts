// Journals that were rebuilt or restored: no work starts before a resume, and nothing happens twice.
import { person } from '../../src/core/actor.ts';
import type { EventBody, Input } from '../../src/core/event.ts';
import { command, live, type Script, turns } from './scripts.ts';

const resume: Input = { type: 'resume', by: person('ana') };
const resumed = [{ after: 'session.held', ms: 1_000, input: resume }] as const;

const MOMENTS: readonly EventBody['type'][] = ['prompt.queued', 'run.starting', 'prompt.sending', 'prompt.accepted'];

export const RESTORED_STORIES: readonly Script[] = [
  {
    name: 'commandRestoredQueued',
    spec: command,
    queued: true,
    restoredAfter: 'session.created',
    inputs: resumed,
    ends: ['done'],
    expectedEvents: ['session.restored', 'session.held', 'session.released', 'run.starting', 'session.ended'],
  },
  {
    name: 'commandRestoredRunning',
    spec: command,
    restoredAfter: 'run.opened',
    ends: ['done'],
    expectedEvents: ['session.restored', 'run.ended', 'session.ended'],
    forbiddenEvents: ['session.held'],
  },
  ...[live, turns].flatMap((spec): Script[] =>
    // A prompt that was being typed is unsure, as after any crash, and left to a person.
    MOMENTS.filter((moment) => spec.drive === 'turns' || moment !== 'prompt.sending').map((restoredAfter) => ({
      name: `${spec.drive}Restored${restoredAfter.replace(/^.*\./, '')}`,
      spec,
      restoredAfter,
      inputs: resumed,
      ends: ['done'],
      // A running turn is adopted; a session without a process is held at once.
      expectedEvents:
        restoredAfter === 'prompt.accepted'
          ? ['session.restored', 'prompt.answered', 'session.held', 'session.released', 'session.ended']
          : ['session.restored', 'session.held', 'session.released', 'prompt.answered'],
    })),
  ),
  {
    name: 'liveRestoredCrashed',
    spec: live,
    glitch: 'crash',
    restoredAfter: 'run.faulted',
    inputs: resumed,
    ends: ['done'],
    expectedEvents: [
      'run.faulted',
      'session.restored',
      'session.held',
      'session.released',
      'run.starting',
      'prompt.answered',
    ],
  },
];
