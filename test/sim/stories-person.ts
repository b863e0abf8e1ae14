// A person at the same terminal: dialogs, drafts, prompts of their own, attaching and detaching.
import { person } from '../../src/core/actor.ts';
import type { Input } from '../../src/core/event.ts';
import type { PromptId } from '../../src/core/session.ts';
import { live, policy, type Script, stop, turns } from './scripts.ts';

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const both = { p1: ['answered'], p2: ['answered'] } as const;

const DIALOGS: readonly Script[] = [
  {
    name: 'liveDialogFirst',
    spec: live,
    trustMs: 1_000,
    ends: ['done'],
    expectedEvents: ['session.held', 'session.released', 'run.ready', 'prompt.sending', 'prompt.answered'],
  },
  {
    name: 'liveDialogInTurn',
    spec: live,
    personActions: [
      { after: 'prompt.accepted', ms: 25, does: 'dialog' },
      { after: 'prompt.accepted', ms: 900, does: 'answer' },
    ],
    ends: ['done'],
    expectedEvents: ['prompt.accepted', 'session.held', 'session.released', 'prompt.answered'],
  },
  {
    name: 'liveDialogAtSending',
    spec: live,
    personActions: [
      { after: 'prompt.sending', does: 'dialog' },
      { after: 'prompt.sending', ms: 900, does: 'answer' },
    ],
    ends: ['done'],
    expectedEvents: ['session.held', 'session.released', 'prompt.accepted'],
  },
  {
    name: 'liveDialogAtEnter',
    spec: live,
    glitch: 'swallowedEnter',
    personActions: [
      { after: 'prompt.entering', does: 'dialog' },
      { after: 'prompt.entering', ms: 100, does: 'answer' },
    ],
    ends: ['done', 'stopped'],
    prompts: { p1: ['answered', 'none'] },
  },
];

const TYPING: readonly Script[] = [
  {
    name: 'liveDraft',
    spec: live,
    personActions: [
      { after: 'drawn', does: 'draft' },
      { after: 'drawn', ms: 1_500, does: 'erase' },
    ],
    ends: ['done'],
    expectedEvents: ['prompt.waiting', 'prompt.sending', 'prompt.answered'],
  },
  {
    name: 'liveDraftAtSending',
    spec: live,
    personActions: [
      { after: 'prompt.sending', does: 'draft' },
      { after: 'prompt.sending', ms: 1_500, does: 'erase' },
    ],
    ends: ['done'],
    expectedEvents: ['prompt.sending', 'prompt.waiting', 'prompt.sending', 'prompt.answered'],
  },
  { name: 'livePersonTypes', spec: live, personActions: [{ after: 'drawn', ms: 10, does: 'prompt' }], ends: ['done'] },
  {
    name: 'livePersonFirst',
    spec: live,
    personActions: [{ after: 'drawn', does: 'prompt' }],
    ends: ['done'],
    expectedEvents: ['turn.started', 'turn.ended', 'prompt.sending', 'prompt.answered'],
  },
  {
    name: 'livePersonEscapes',
    spec: live,
    personActions: [{ after: 'approval.asked', ms: 5, does: 'escape' }],
    ends: ['stopped', 'done'],
    prompts: { p1: ['interrupted', 'answered'] },
    expectedEvents: ['prompt.accepted', 'prompt.interrupted'],
  },
  {
    name: 'livePersonWithdraws',
    spec: { ...live, policy: { ...policy, silenceMsMax: 20_000 } },
    personActions: [{ after: 'prompt.accepted', ms: 5, does: 'escape' }],
    ends: ['stopped', 'done'],
    prompts: { p1: ['interrupted', 'answered'] },
    expectedEvents: ['prompt.accepted', 'prompt.interrupted'],
  },
  {
    name: 'livePersonExits',
    spec: live,
    personActions: [{ after: 'approval.asked', ms: 5, does: 'exit' }],
    ends: ['stopped', 'done'],
    prompts: { p1: ['none', 'answered'] },
  },
];

/** The session is handed off to a person in a turn. The second prompt waits until it is handed back. */
const HANDED_OFF: Pick<Script, 'inputs' | 'ends' | 'prompts' | 'expectedEvents'> = {
  inputs: [
    { after: 'prompt.accepted', input: { type: 'hand-off', by: person('ana') } },
    { after: 'control.taken', input: p2 },
    { after: 'control.taken', ms: 1_500, input: { type: 'hand-back', by: person('ana') } },
  ],
  ends: ['done'],
  prompts: both,
  expectedEvents: ['control.taken', 'prompt.answered', 'prompt.waiting', 'control.returned', 'prompt.sending'],
};

const ATTACHED: readonly Script[] = [
  {
    name: 'liveAttached',
    spec: live,
    personActions: [
      { after: 'drawn', does: 'attach' },
      { after: 'drawn', ms: 1_500, does: 'detach' },
    ],
    ends: ['done'],
    expectedEvents: ['control.taken', 'prompt.waiting', 'control.returned', 'prompt.sending', 'prompt.answered'],
  },
  {
    name: 'liveAttachedAtSending',
    spec: live,
    personActions: [
      { after: 'prompt.sending', does: 'attach' },
      { after: 'prompt.sending', ms: 1_500, does: 'detach' },
    ],
    ends: ['done'],
    expectedEvents: ['prompt.sending', 'control.taken', 'prompt.waiting', 'control.returned', 'prompt.sending'],
  },
  {
    name: 'liveAttachedAtEnter',
    spec: live,
    glitch: 'swallowedEnter',
    personActions: [
      { after: 'prompt.entering', does: 'attach' },
      { after: 'prompt.entering', ms: 60, does: 'detach' },
    ],
    ends: ['done', 'stopped'],
    prompts: { p1: ['answered', 'none'] },
  },
  {
    name: 'liveAttachedInTurn',
    spec: live,
    personActions: [
      { after: 'prompt.accepted', ms: 5, does: 'attach' },
      { after: 'prompt.accepted', ms: 1_500, does: 'detach' },
    ],
    inputs: [{ after: 'prompt.accepted', ms: 30, input: p2 }],
    ends: ['done'],
    prompts: both,
    expectedEvents: ['control.taken', 'prompt.answered', 'prompt.waiting', 'control.returned', 'prompt.sending'],
  },
  {
    name: 'liveHandedOff',
    spec: live,
    ...HANDED_OFF,
  },
  {
    name: 'turnsHandedOff',
    spec: turns,
    ...HANDED_OFF,
  },
  {
    name: 'turnsVisited',
    spec: { ...turns, keepOpen: true },
    personActions: [
      { after: 'drawn', ms: 50, does: 'attach' },
      { after: 'drawn', ms: 100, does: 'prompt' },
      { after: 'drawn', ms: 900, does: 'detach' },
    ],
    inputs: [
      { after: 'prompt.answered', input: { type: 'visit', by: person('ana') } },
      { after: 'control.taken', input: p2 },
      { after: 'visit.wanted', ms: 60_000, input: p2 },
      { after: 'prompt.answered', nth: 2, input: stop },
    ],
    ends: ['stopped'],
    prompts: { p1: ['answered'], p2: ['answered'] },
    expectedEvents: [
      'visit.wanted',
      'run.starting',
      'control.taken',
      'turn.started',
      'control.returned',
      'prompt.answered',
    ],
  },
];

export const PERSON_STORIES: readonly Script[] = [...DIALOGS, ...TYPING, ...ATTACHED];
