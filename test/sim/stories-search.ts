// Agents that choose the ids of their conversations, and end before they name them.
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
      trouble: 'unnamedCrash',
      ownIds: {},
      says: { 'p1#2': /^You were interrupted/ },
      tells: ['conversation.opened', 'run.starting', 'prompt.answered'],
      lacks: ['session.held'],
    },
    {
      ...common,
      name: name('Answered'),
      trouble: 'unnamedAnswer',
      ownIds: {},
      tells: ['conversation.opened', 'prompt.answered'],
      lacks: ['session.held'],
    },
    {
      ...common,
      name: name('Nowhere'),
      trouble: 'unnamedDeaf',
      ownIds: {},
      tells: ['run.faulted', 'run.starting', 'conversation.opened', 'prompt.answered'],
      lacks: ['session.held'],
    },
    {
      ...common,
      name: name('Later'),
      trouble: 'unnamedCrash',
      ownIds: { first: 'unknown', ms: 7_000 },
      tells: ['session.held', 'session.released', 'conversation.opened', 'prompt.answered'],
    },
    {
      ...common,
      name: name('AnsweredLater'),
      trouble: 'unnamedAnswer',
      ownIds: { first: 'several', ms: 7_000 },
      tells: ['session.held', 'session.released', 'conversation.opened', 'prompt.answered'],
    },
    {
      ...common,
      name: name('Several'),
      trouble: 'unnamedCrash',
      ownIds: { first: 'several' },
      wishes: [{ after: 'session.held', ms: 20_000, input: stop }],
      ends: ['stopped'],
      prompts: { p1: ['interrupted'] },
      tells: ['session.held', 'session.ended'],
      lacks: ['session.released'],
    },
    {
      ...common,
      name: name('Fresh'),
      trouble: 'unnamedDeaf',
      ownIds: { first: 'unknown' },
      wishes: [1, 2, 3, 4, 5, 6].map((nth) => ({ after: 'session.held', nth, ms: 1_000, input: startFresh })),
      tells: ['session.held', 'session.released', 'run.starting', 'prompt.answered'],
    },
  ];
});

/** Its output tells of the answer, but not of the conversation: the next prompt goes on with that all the same. */
const SAID: Script = {
  name: 'turnsUnnamedSaid',
  spec: ownIds(turns),
  trouble: 'unnamedAnswer',
  ownIds: { said: true },
  wishes: [{ after: 'prompt.sending', input: p2 }],
  ends: ['done'],
  prompts: { p1: ['answered'], p2: ['answered'] },
  tells: ['conversation.opened', 'prompt.answered', 'run.starting', 'prompt.answered'],
};

/** An agent without a record: a process that is gone may have received what it did not confirm. */
const UNREAD: Script = {
  name: 'turnsUnread',
  spec: turns,
  trouble: 'unnamedCrash',
  unrecorded: true,
  wishes: [{ after: 'session.held', ms: 20_000, input: stop }],
  ends: ['stopped'],
  prompts: { p1: ['interrupted'] },
  tells: ['run.faulted', 'session.held', 'session.ended'],
};

export const SEARCH_STORIES: readonly Script[] = [...UNNAMED, SAID, UNREAD];
