// Conversations that the API refuses, and visits to sessions that are held or limited.
import { person } from '../../src/core/actor.ts';
import type { Input } from '../../src/core/event.ts';
import { live, policy, type Script, turns } from './scripts.ts';

const resume: Input = { type: 'resume', by: person('ana') };
const visit: Input = { type: 'visit', by: person('ana') };
const LIMIT_MS = 600_000;
const resumed = [{ after: 'session.held', ms: 1_000, input: resume }] as const;
const continued = ['prompt.sending', 'prompt.answered'] as const;

/** The first failure leads to a compaction or a copy, the second one in a row to a hold. */
const REMEDIES: readonly Script[] = [live, turns].flatMap((spec): Script[] => [
  {
    name: `${spec.drive}TooLong`,
    spec,
    turnOutcomes: ['too-long'],
    // A fault between the intent and the command prevents the compaction; then the session may be held.
    inputs: resumed,
    ends: ['done'],
    expectedEvents: ['prompt.troubled', 'remedy.begun', 'prompt.sending', 'remedy.ended', ...continued],
    forbiddenEvents: ['session.held'],
    promptPatterns: { 'p1#2': /Fix/ },
  },
  {
    name: `${spec.drive}TooLongTwice`,
    spec,
    turnOutcomes: ['too-long', 'too-long'],
    inputs: resumed,
    ends: ['done'],
    expectedEvents: ['remedy.ended', 'prompt.troubled', 'session.held', 'session.released', ...continued],
  },
  {
    name: `${spec.drive}Poisoned`,
    spec,
    turnOutcomes: ['poisoned'],
    ends: ['done'],
    expectedEvents: ['prompt.troubled', 'remedy.begun', 'run.starting', 'conversation.opened', 'prompt.answered'],
    promptPatterns: { 'p1#2': /Fix/ },
  },
  {
    name: `${spec.drive}PoisonedTwice`,
    spec,
    turnOutcomes: ['poisoned', 'poisoned'],
    inputs: resumed,
    ends: ['done'],
    expectedEvents: ['remedy.begun', 'prompt.troubled', 'session.held', 'session.released', ...continued],
  },
  {
    name: `${spec.drive}PoisonedCrash`,
    spec,
    turnOutcomes: ['poisoned', 'crash'],
    ends: ['done'],
    expectedEvents: ['remedy.begun', 'run.faulted', 'run.starting', 'prompt.answered'],
  },
]);

const COMPACTIONS: readonly Script[] = [
  {
    name: 'turnsTooLongLimited',
    spec: turns,
    turnOutcomes: ['too-long', { limitedMs: LIMIT_MS }],
    ends: ['done'],
    expectedEvents: [
      'remedy.begun',
      'prompt.sending',
      'session.limited',
      'session.unlimited',
      'remedy.ended',
      ...continued,
    ],
  },
];

const attaches = [
  { after: 'drawn', ms: 50, does: 'attach' },
  { after: 'drawn', ms: 900, does: 'detach' },
] as const;
const shown = ['visit.wanted', 'run.starting', 'run.opened', 'control.taken'] as const;
const VISITS: readonly Script[] = [
  {
    name: 'turnsHeldVisited',
    spec: turns,
    turnOutcomes: ['billing'],
    personActions: attaches,
    inputs: [
      { after: 'session.held', ms: 1_000, input: visit },
      { after: 'run.ended', nth: 2, ms: 5_000, input: resume },
      { after: 'session.held', ms: 90_000, input: resume },
    ],
    ends: ['done'],
    expectedEvents: ['session.held', ...shown, 'control.returned', 'run.ended', 'session.released', ...continued],
  },
  {
    name: 'turnsHeldSolved',
    // After a fault before the person could type anything, the session stays held.
    spec: { ...turns, policy: { ...policy, deadlineMsMax: 60_000 } },
    turnOutcomes: ['billing'],
    personActions: [...attaches, { after: 'drawn', ms: 100, does: 'prompt' }],
    inputs: [{ after: 'session.held', ms: 1_000, input: visit }],
    ends: ['done', 'abandoned'],
    prompts: { p1: ['answered', 'none'] },
    expectedEvents: ['session.held', ...shown, 'turn.ended', 'run.ended', 'session.released', ...continued],
  },
  {
    name: 'turnsLimitedVisited',
    spec: { ...turns, policy: { ...policy, deadlineMsMax: 60_000 } },
    turnOutcomes: [{ limitedMs: LIMIT_MS }],
    personActions: attaches,
    inputs: [{ after: 'session.limited', ms: 100_000, input: visit }],
    ends: ['done'],
    expectedEvents: ['session.limited', ...shown, 'run.ended', 'session.unlimited', ...continued],
  },
  {
    name: 'turnsHostVisited',
    spec: turns,
    glitch: 'crash',
    hostResumes: 20,
    personActions: attaches,
    inputs: [
      { after: 'session.held', ms: 1_000, input: visit },
      { after: 'session.held', ms: 90_000, input: resume },
    ],
    ends: ['done'],
    expectedEvents: ['run.faulted', 'session.held', ...shown, 'run.ended', 'session.released', ...continued],
  },
];

export const REMEDY_STORIES: readonly Script[] = [...REMEDIES, ...COMPACTIONS, ...VISITS];
