// News for an agent at work: they come with the result of its tool, or as if they had never been offered.
import type { SessionId } from '../../src/core/session.ts';
import { live, type Script, turns } from './scripts.ts';
import { news, textOf } from './stories-update.ts';

/** Its tool takes long enough for the updates to be staged before its hook runs. */
const LONG = { workMs: 200, afterMs: 40 };

const inTurn = (name: string, spec: Script['spec'], isUrgent = true): Script => ({
  name,
  spec,
  ...LONG,
  wishes: [{ after: 'prompt.accepted', input: news(7, isUrgent) }],
  ends: ['done'],
  texts: { 'wake-7': textOf(news(7, isUrgent)), 'wake-8': textOf(news(8, true)) },
  tells: ['update.queued', 'update.staged', 'update.delivered', 'prompt.answered', 'session.ended'],
  lacks: ['update.withdrawn'],
});

/** They come when its only tool is through. */
const notTaken = (name: string, spec: Script['spec']): Script => ({
  name,
  spec,
  workMs: 20,
  afterMs: 300,
  wishes: [{ after: 'prompt.accepted', ms: 150, input: news(7, true) }],
  ends: ['done'],
  prompts: { p1: ['answered'], 'wake-7': ['answered', 'none'] },
  texts: { 'wake-7': textOf(news(7, true)) },
  tells: [
    'update.staged',
    'prompt.answered',
    'update.withdrawn',
    'prompt.queued',
    'update.delivered',
    'prompt.answered',
  ],
});

/** It dies with what its hook has taken: the updates were not delivered. */
const lostOnTheWay = (name: string, spec: Script['spec']): Script => ({
  name,
  spec,
  ...LONG,
  trouble: 'crashAfterTake',
  wishes: [{ after: 'prompt.accepted', input: news(7, true) }],
  ends: ['done'],
  texts: { 'wake-7': textOf(news(7, true)) },
  tells: ['update.staged', 'update.withdrawn', 'run.faulted', 'run.starting', 'update.staged', 'update.delivered'],
});

/** The delivery is recorded long after its turn has ended. */
const writtenLate = (name: string, spec: Script['spec']): Script => ({
  ...inTurn(name, spec),
  lagMs: 900,
  tells: ['update.staged', 'prompt.answered', 'update.delivered', 'session.ended'],
});

/** The second updates come after the first were delivered, and there is no other tool. */
const oneMore = (name: string, spec: Script['spec']): Script => ({
  ...inTurn(name, spec),
  afterMs: 300,
  wishes: [
    { after: 'prompt.accepted', input: news(7, true) },
    { after: 'update.delivered', input: news(8, true) },
  ],
  tells: [
    'update.staged',
    'update.delivered',
    'update.staged',
    'update.withdrawn',
    'prompt.queued',
    'update.delivered',
  ],
  lacks: [],
});

/** Its agent reads of it by itself while the news lie there: they are taken back, and what is left is laid out anew. */
const readFirst = (name: string, spec: Script['spec']): Script => ({
  ...inTurn(name, spec),
  workMs: 500,
  wishes: [
    { after: 'prompt.accepted', input: news(7, true) },
    { after: 'prompt.accepted', input: news(8, true) },
    { after: 'update.staged', ms: 20, input: { type: 'read', from: 'kid' as SessionId, upTo: 7 } },
  ],
  texts: { 'wake-7': textOf(news(7, true)), 'wake-8': textOf(news(8, true)) },
  tells: ['update.staged', 'update.read', 'update.withdrawn', 'update.staged', 'update.delivered', 'prompt.answered'],
  lacks: [],
});

export const IN_TURN_UPDATE_STORIES: readonly Script[] = [
  inTurn('liveToldInTurn', live),
  inTurn('turnsToldInTurn', turns),
  inTurn('turnsToldInTurnQuietly', turns, false),
  notTaken('liveNotTaken', live),
  notTaken('turnsNotTaken', turns),
  lostOnTheWay('liveLostOnTheWay', live),
  lostOnTheWay('turnsLostOnTheWay', turns),
  writtenLate('liveWrittenLate', live),
  oneMore('liveOneMore', live),
  oneMore('turnsOneMore', turns),
  readFirst('liveReadFirst', live),
  readFirst('turnsReadFirst', turns),
];
