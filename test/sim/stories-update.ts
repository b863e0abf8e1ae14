// News of sessions that it owns: they begin a turn, or come with a prompt, once, and never go round in circles.
import type { Input } from '../../src/core/event.ts';
import { childUpdatesText } from '../../src/core/ownership.ts';
import type { PromptId, SessionId } from '../../src/core/session.ts';
import { live, type Script, turns } from './scripts.ts';

/** News that come from what the turn that runs has started. */
export const news = (position: number, isUrgent: boolean) =>
  ({
    type: 'update',
    from: 'kid' as SessionId,
    position,
    event: 'session.ended',
    text: `- kid ${position} ended`,
    isUrgent,
    begunMs: Number.MAX_SAFE_INTEGER,
  }) as const satisfies Input;

export const textOf = (...all: readonly ReturnType<typeof news>[]): string =>
  childUpdatesText(all.map((each) => ({ ...each, chain: 0, sinceMs: 0 })));

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const once = { depthMax: 1, childrenMax: 1, agents: [], budget: { turns: null, tokens: null, usd: null }, chainMax: 1 };

const woken = (name: string, spec: Script['spec']): Script => ({
  name,
  spec,
  takesNothing: true,
  wishes: [{ after: 'prompt.accepted', input: news(7, true) }],
  ends: ['done'],
  prompts: { p1: ['answered'], 'wake-7': ['answered'] },
  texts: { 'wake-7': textOf(news(7, true)) },
  tells: [
    'prompt.accepted',
    'update.queued',
    'prompt.answered',
    'prompt.queued',
    'update.delivered',
    'prompt.answered',
  ],
});

const toldAlong = (name: string, spec: Script['spec']): Script => ({
  name,
  spec,
  takesNothing: true,
  wishes: [
    { after: 'prompt.accepted', input: news(7, false) },
    { after: 'update.queued', input: p2 },
  ],
  ends: ['done'],
  // Whoever speaks when it is over comes too late.
  prompts: { p1: ['answered'], p2: ['answered', 'none'] },
  texts: { p2: `${textOf(news(7, false))}\n\nAnd the docs` },
  tells: ['update.queued', 'prompt.queued', 'update.delivered', 'prompt.sending', 'prompt.answered'],
});

/** Each turn starts something whose end would begin the next one. */
const circle = (name: string, spec: Script['spec']): Script => ({
  name,
  spec: { ...spec, spawn: once },
  takesNothing: true,
  wishes: [
    { after: 'prompt.accepted', nth: 1, input: news(7, true) },
    { after: 'prompt.accepted', nth: 2, input: news(8, true) },
  ],
  ends: ['done'],
  prompts: { p1: ['answered'] },
  // An interrupted turn may have started both before it continues.
  texts: { 'wake-7': textOf(news(7, true)), 'wake-8': textOf(news(7, true), news(8, true)) },
  tells: ['update.queued', 'update.delivered', 'update.queued', 'update.suppressed', 'session.ended'],
});

export const UPDATE_STORIES: readonly Script[] = [
  woken('liveWoken', live),
  woken('turnsWoken', turns),
  toldAlong('liveToldAlong', live),
  toldAlong('turnsToldAlong', turns),
  circle('liveWakeCircle', live),
  circle('turnsWakeCircle', turns),
];
