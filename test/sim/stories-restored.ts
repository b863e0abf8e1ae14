import { person } from '../../src/core/actor.ts';
// Journals that were rebuilt or restored: no work starts before a resume, and nothing is done twice.
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
    restored: 'session.created',
    wishes: resumed,
    ends: ['done'],
    tells: ['session.restored', 'session.held', 'session.released', 'run.starting', 'session.ended'],
  },
  {
    name: 'commandRestoredRunning',
    spec: command,
    restored: 'run.opened',
    ends: ['done'],
    tells: ['session.restored', 'run.ended', 'session.ended'],
    lacks: ['session.held'],
  },
  ...[live, turns].flatMap((spec): Script[] =>
    // What was being typed is unsure, as after any crash: a person decides about it.
    MOMENTS.filter((moment) => spec.drive === 'turns' || moment !== 'prompt.sending').map((restored) => ({
      name: `${spec.drive}Restored${restored.replace(/^.*\./, '')}`,
      spec,
      restored,
      wishes: resumed,
      ends: ['done'],
      // The turn that runs is adopted; what has no process is held at once.
      tells:
        restored === 'prompt.accepted'
          ? ['session.restored', 'prompt.answered', 'session.held', 'session.released', 'session.ended']
          : ['session.restored', 'session.held', 'session.released', 'prompt.answered'],
    })),
  ),
  {
    name: 'liveRestoredCrashed',
    spec: live,
    trouble: 'crash',
    restored: 'run.faulted',
    wishes: resumed,
    ends: ['done'],
    tells: ['run.faulted', 'session.restored', 'session.held', 'session.released', 'run.starting', 'prompt.answered'],
  },
];
