// Updates for an agent in a turn: they are delivered with the result of a tool call, or as if they had not been staged.
import type { SessionId } from '../../src/core/session.ts';
import { live, type Script, turns } from './scripts.ts';
import { textOf, update } from './stories-update.ts';

/** The tool runs long enough for the updates to be staged before its hook runs. */
const LONG = { workMs: 200, afterMs: 40 };

const inTurn = (name: string, spec: Script['spec'], isUrgent = true): Script => ({
  name,
  spec,
  ...LONG,
  inputs: [{ after: 'prompt.accepted', input: update(7, isUrgent) }],
  ends: ['done'],
  texts: { 'wake-7': textOf(update(7, isUrgent)), 'wake-8': textOf(update(8, true)) },
  expectedEvents: ['update.queued', 'update.staged', 'update.delivered', 'prompt.answered', 'session.ended'],
  forbiddenEvents: ['update.withdrawn'],
});

/** The update arrives after the only tool call of the turn. */
const notDelivered = (name: string, spec: Script['spec']): Script => ({
  name,
  spec,
  workMs: 20,
  afterMs: 300,
  inputs: [{ after: 'prompt.accepted', ms: 150, input: update(7, true) }],
  ends: ['done'],
  prompts: { p1: ['answered'], 'wake-7': ['answered', 'none'] },
  texts: { 'wake-7': textOf(update(7, true)) },
  expectedEvents: [
    'update.staged',
    'prompt.answered',
    'update.withdrawn',
    'prompt.queued',
    'update.delivered',
    'prompt.answered',
  ],
});

/** The agent dies after its hook has read the staged updates: they were not delivered. */
const lostInCrash = (name: string, spec: Script['spec']): Script => ({
  name,
  spec,
  ...LONG,
  glitch: 'crashAfterTake',
  inputs: [{ after: 'prompt.accepted', input: update(7, true) }],
  ends: ['done'],
  texts: { 'wake-7': textOf(update(7, true)) },
  expectedEvents: [
    'update.staged',
    'update.withdrawn',
    'run.faulted',
    'run.starting',
    'update.staged',
    'update.delivered',
  ],
});

/** The transcript shows the delivery long after the turn has ended. */
const recordedLate = (name: string, spec: Script['spec']): Script => ({
  ...inTurn(name, spec),
  lagMs: 900,
  expectedEvents: ['update.staged', 'prompt.answered', 'update.delivered', 'session.ended'],
});

/** The second update arrives after the first was delivered, and the turn has no other tool call. */
const secondUpdate = (name: string, spec: Script['spec']): Script => ({
  ...inTurn(name, spec),
  afterMs: 300,
  inputs: [
    { after: 'prompt.accepted', input: update(7, true) },
    { after: 'update.delivered', input: update(8, true) },
  ],
  expectedEvents: [
    'update.staged',
    'update.delivered',
    'update.staged',
    'update.withdrawn',
    'prompt.queued',
    'update.delivered',
  ],
  forbiddenEvents: [],
});

/** The agent reads about a child by itself while updates are staged: they are withdrawn, the rest is staged again. */
const readFirst = (name: string, spec: Script['spec']): Script => ({
  ...inTurn(name, spec),
  workMs: 500,
  inputs: [
    { after: 'prompt.accepted', input: update(7, true) },
    { after: 'prompt.accepted', input: update(8, true) },
    { after: 'update.staged', ms: 20, input: { type: 'read', from: 'kid' as SessionId, upTo: 7 } },
  ],
  texts: { 'wake-7': textOf(update(7, true)), 'wake-8': textOf(update(8, true)) },
  expectedEvents: [
    'update.staged',
    'update.read',
    'update.withdrawn',
    'update.staged',
    'update.delivered',
    'prompt.answered',
  ],
  forbiddenEvents: [],
});

export const IN_TURN_UPDATE_STORIES: readonly Script[] = [
  inTurn('liveInTurnUpdate', live),
  inTurn('turnsInTurnUpdate', turns),
  inTurn('turnsInTurnUpdateNotUrgent', turns, false),
  notDelivered('liveUpdateNotDelivered', live),
  notDelivered('turnsUpdateNotDelivered', turns),
  lostInCrash('liveUpdateLostInCrash', live),
  lostInCrash('turnsUpdateLostInCrash', turns),
  recordedLate('liveUpdateRecordedLate', live),
  secondUpdate('liveSecondUpdate', live),
  secondUpdate('turnsSecondUpdate', turns),
  readFirst('liveUpdateReadFirst', live),
  readFirst('turnsUpdateReadFirst', turns),
];
