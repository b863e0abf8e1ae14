// Updates about child sessions: each starts a turn or comes with a prompt, once, and a chain of updates is bounded.
import type { Input } from '../../src/core/event.ts';
import { childUpdatesText } from '../../src/core/ownership.ts';
import type { PromptId, SessionId } from '../../src/core/session.ts';
import { live, type Script, turns } from './scripts.ts';

/** An update about a child that the running turn has started. */
export const update = (position: number, isUrgent: boolean) =>
  ({
    type: 'update',
    from: 'kid' as SessionId,
    position,
    event: 'session.ended',
    text: `- kid ${position} ended`,
    isUrgent,
    begunMs: Number.MAX_SAFE_INTEGER,
  }) as const satisfies Input;

export const textOf = (...all: readonly ReturnType<typeof update>[]): string =>
  childUpdatesText(all.map((each) => ({ ...each, chain: 0, sinceMs: 0 })));

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const once = { depthMax: 1, childrenMax: 1, agents: [], budget: { turns: null, tokens: null, usd: null }, chainMax: 1 };

const startsTurn = (name: string, spec: Script['spec']): Script => ({
  name,
  spec,
  deliversNoUpdates: true,
  inputs: [{ after: 'prompt.accepted', input: update(7, true) }],
  ends: ['done'],
  prompts: { p1: ['answered'], 'wake-7': ['answered'] },
  texts: { 'wake-7': textOf(update(7, true)) },
  expectedEvents: [
    'prompt.accepted',
    'update.queued',
    'prompt.answered',
    'prompt.queued',
    'update.delivered',
    'prompt.answered',
  ],
});

const withPrompt = (name: string, spec: Script['spec']): Script => ({
  name,
  spec,
  deliversNoUpdates: true,
  inputs: [
    { after: 'prompt.accepted', input: update(7, false) },
    { after: 'update.queued', input: p2 },
  ],
  ends: ['done'],
  // A prompt that arrives after the session has ended is too late.
  prompts: { p1: ['answered'], p2: ['answered', 'none'] },
  texts: { p2: `${textOf(update(7, false))}\n\nAnd the docs` },
  expectedEvents: ['update.queued', 'prompt.queued', 'update.delivered', 'prompt.sending', 'prompt.answered'],
});

/** Each turn starts a child whose end would start the next turn. */
const chain = (name: string, spec: Script['spec']): Script => ({
  name,
  spec: { ...spec, spawn: once },
  deliversNoUpdates: true,
  inputs: [
    { after: 'prompt.accepted', nth: 1, input: update(7, true) },
    { after: 'prompt.accepted', nth: 2, input: update(8, true) },
  ],
  ends: ['done'],
  prompts: { p1: ['answered'] },
  // An interrupted turn may have started both children before it continues.
  texts: { 'wake-7': textOf(update(7, true)), 'wake-8': textOf(update(7, true), update(8, true)) },
  expectedEvents: ['update.queued', 'update.delivered', 'update.queued', 'update.suppressed', 'session.ended'],
});

export const UPDATE_STORIES: readonly Script[] = [
  startsTurn('liveUpdateStartsTurn', live),
  startsTurn('turnsUpdateStartsTurn', turns),
  withPrompt('liveUpdateWithPrompt', live),
  withPrompt('turnsUpdateWithPrompt', turns),
  chain('liveUpdateChain', live),
  chain('turnsUpdateChain', turns),
];
