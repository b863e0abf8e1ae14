// Agents that choose the ids of their conversations, and end before they report them.
import { person } from '../../src/core/actor.ts';
import type { Input } from '../../src/core/event.ts';
import type { PromptId } from '../../src/core/session.ts';
import { live, ownIds, type Script, stop, turns } from './scripts.ts';

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const startFresh: Input = { type: 'resume', by: person('ana'), startFresh: true };

const UNNAMED: readonly Script[] = [live, turns].flatMap((plain): Script[] => {
  const spec = ownIds(plain);
  const name = (rest: string): string => `${spec.drive}Unnamed${rest}`;
  const common = { spec, ends: ['done'] } as const;
  return [
    {
      ...common,
      name: name('Found'),
      glitch: 'unnamedCrash',
      ownIds: {},
      promptPatterns: { 'p1#2': /^You were interrupted/ },
      expectedEvents: ['conversation.opened', 'run.starting', 'prompt.answered'],
      forbiddenEvents: ['session.held'],
    },
    {
      ...common,
      name: name('Answered'),
      glitch: 'unnamedAnswer',
      ownIds: {},
      expectedEvents: ['conversation.opened', 'prompt.answered'],
      forbiddenEvents: ['session.held'],
    },
    {
      ...common,
      name: name('Nowhere'),
      glitch: 'unnamedDeaf',
      ownIds: {},
      expectedEvents: ['run.faulted', 'run.starting', 'conversation.opened', 'prompt.answered'],
      forbiddenEvents: ['session.held'],
    },
    {
      ...common,
      name: name('Later'),
      glitch: 'unnamedCrash',
      ownIds: { first: 'unknown', ms: 7_000 },
      expectedEvents: ['session.held', 'session.released', 'conversation.opened', 'prompt.answered'],
    },
    {
      ...common,
      name: name('AnsweredLater'),
      glitch: 'unnamedAnswer',
      ownIds: { first: 'several', ms: 7_000 },
      expectedEvents: ['session.held', 'session.released', 'conversation.opened', 'prompt.answered'],
    },
    {
      ...common,
      name: name('Several'),
      glitch: 'unnamedCrash',
      ownIds: { first: 'several' },
      inputs: [{ after: 'session.held', ms: 20_000, input: stop }],
      ends: ['stopped'],
      prompts: { p1: ['interrupted'] },
      expectedEvents: ['session.held', 'session.ended'],
      forbiddenEvents: ['session.released'],
    },
    {
      ...common,
      name: name('Fresh'),
      glitch: 'unnamedDeaf',
      ownIds: { first: 'unknown' },
      inputs: [1, 2, 3, 4, 5, 6].map((nth) => ({ after: 'session.held', nth, ms: 1_000, input: startFresh })),
      expectedEvents: ['session.held', 'session.released', 'run.starting', 'prompt.answered'],
    },
  ];
});

/** The output contains the reply, but not the id of the conversation. The next prompt still continues it. */
const SAID: Script = {
  name: 'turnsUnnamedSaid',
  spec: ownIds(turns),
  glitch: 'unnamedAnswer',
  ownIds: { inOutput: true },
  inputs: [{ after: 'prompt.sending', input: p2 }],
  ends: ['done'],
  prompts: { p1: ['answered'], p2: ['answered'] },
  expectedEvents: ['conversation.opened', 'prompt.answered', 'run.starting', 'prompt.answered'],
};

/** An agent without a transcript: a process that is gone may have received a prompt that it did not confirm. */
const UNREAD: Script = {
  name: 'turnsUnread',
  spec: turns,
  glitch: 'unnamedCrash',
  unrecorded: true,
  inputs: [{ after: 'session.held', ms: 20_000, input: stop }],
  ends: ['stopped'],
  prompts: { p1: ['interrupted'] },
  expectedEvents: ['run.faulted', 'session.held', 'session.ended'],
};

export const SEARCH_STORIES: readonly Script[] = [...UNNAMED, SAID, UNREAD];
