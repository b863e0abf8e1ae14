import { person } from '../../src/core/actor.ts';
// Conversations that cannot be sent any more, and people who come to see what is held or limited.
import type { Input } from '../../src/core/event.ts';
import { live, policy, type Script, turns } from './scripts.ts';

const resume: Input = { type: 'resume', by: person('ana') };
const visit: Input = { type: 'visit', by: person('ana') };
const LIMIT_MS = 600_000;
const resumed = [{ after: 'session.held', ms: 1_000, input: resume }] as const;
const goesOn = ['prompt.sending', 'prompt.answered'] as const;

/** Both drives: compacted or copied once; the second time in a row a person is asked; an answer allows it again. */
const REMEDIES: readonly Script[] = [live, turns].flatMap((spec): Script[] => [
  {
    name: `${spec.drive}TooLong`,
    spec,
    lots: ['too-long'],
    // Struck between the intent and the command it is not compacted; then it may be held after all.
    wishes: resumed,
    ends: ['done'],
    tells: ['prompt.troubled', 'remedy.begun', 'prompt.sending', 'remedy.ended', ...goesOn],
    lacks: ['session.held'],
    says: { 'p1#2': /Fix/ },
  },
  {
    name: `${spec.drive}TooLongTwice`,
    spec,
    lots: ['too-long', 'too-long'],
    wishes: resumed,
    ends: ['done'],
    tells: ['remedy.ended', 'prompt.troubled', 'session.held', 'session.released', ...goesOn],
  },
  {
    name: `${spec.drive}Poisoned`,
    spec,
    lots: ['poisoned'],
    ends: ['done'],
    tells: ['prompt.troubled', 'remedy.begun', 'run.starting', 'conversation.opened', 'prompt.answered'],
    says: { 'p1#2': /Fix/ },
  },
  {
    name: `${spec.drive}PoisonedTwice`,
    spec,
    lots: ['poisoned', 'poisoned'],
    wishes: resumed,
    ends: ['done'],
    tells: ['remedy.begun', 'prompt.troubled', 'session.held', 'session.released', ...goesOn],
  },
  {
    name: `${spec.drive}PoisonedCrash`,
    spec,
    lots: ['poisoned', 'crash'],
    ends: ['done'],
    tells: ['remedy.begun', 'run.faulted', 'run.starting', 'prompt.answered'],
  },
]);

const COMPACTIONS: readonly Script[] = [
  {
    name: 'turnsTooLongLimited',
    spec: turns,
    lots: ['too-long', { limitedMs: LIMIT_MS }],
    ends: ['done'],
    tells: ['remedy.begun', 'prompt.sending', 'session.limited', 'session.unlimited', 'remedy.ended', ...goesOn],
  },
];

const stays = [
  { after: 'drawn', ms: 50, does: 'attach' },
  { after: 'drawn', ms: 900, does: 'leave' },
] as const;
const shown = ['visit.wanted', 'run.starting', 'run.opened', 'control.taken'] as const;
const VISITS: readonly Script[] = [
  {
    name: 'turnsHeldVisited',
    spec: turns,
    lots: ['billing'],
    deeds: stays,
    wishes: [
      { after: 'session.held', ms: 1_000, input: visit },
      { after: 'run.ended', nth: 2, ms: 5_000, input: resume },
      { after: 'session.held', ms: 90_000, input: resume },
    ],
    ends: ['done'],
    tells: ['session.held', ...shown, 'control.returned', 'run.ended', 'session.released', ...goesOn],
  },
  {
    name: 'turnsHeldSolved',
    // Struck before they could say anything, it is held for ever.
    spec: { ...turns, policy: { ...policy, deadlineMsMax: 60_000 } },
    lots: ['billing'],
    deeds: [...stays, { after: 'drawn', ms: 100, does: 'prompt' }],
    wishes: [{ after: 'session.held', ms: 1_000, input: visit }],
    ends: ['done', 'abandoned'],
    prompts: { p1: ['answered', 'none'] },
    tells: ['session.held', ...shown, 'turn.ended', 'run.ended', 'session.released', ...goesOn],
  },
  {
    name: 'turnsLimitedVisited',
    spec: { ...turns, policy: { ...policy, deadlineMsMax: 60_000 } },
    lots: [{ limitedMs: LIMIT_MS }],
    deeds: stays,
    wishes: [{ after: 'session.limited', ms: 100_000, input: visit }],
    ends: ['done'],
    tells: ['session.limited', ...shown, 'run.ended', 'session.unlimited', ...goesOn],
  },
  {
    name: 'turnsHostVisited',
    spec: turns,
    trouble: 'crash',
    hostResumes: 20,
    deeds: stays,
    wishes: [
      { after: 'session.held', ms: 1_000, input: visit },
      { after: 'session.held', ms: 90_000, input: resume },
    ],
    ends: ['done'],
    tells: ['run.faulted', 'session.held', ...shown, 'run.ended', 'session.released', ...goesOn],
  },
];

export const REMEDY_STORIES: readonly Script[] = [...REMEDIES, ...COMPACTIONS, ...VISITS];
