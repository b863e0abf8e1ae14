// Another agent takes over at a usage limit.
import { byPolicy } from '../../src/core/actor.ts';
import type { Input } from '../../src/core/event.ts';
import type { ConversationId, PromptId, Spec } from '../../src/core/session.ts';
import { live, type Script, turns } from './scripts.ts';

/** What the new agent is told. */
export const HANDOVER = 'What happened.';

const LIMIT_MS = 600_000;
const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };

/** The fake world has one conversation, so the new agent continues that one. */
function switchTo({ drive, terminal, conversation }: Spec): Input {
  if (drive === 'command' || conversation === undefined) throw new Error('an agent is needed');
  const id = 'c1' as ConversationId;
  return {
    type: 'switch',
    by: byPolicy('limit'),
    why: 'limit',
    to: {
      ...{ agent: 'other', drive, terminal, handover: HANDOVER, turns: 1 },
      conversation: { ...conversation, chosenBy: 'us', id },
      resumes: { transcript: '/t' },
    },
  };
}

const EVENTS = [
  'session.limited',
  'session.switching',
  'session.switched',
  'prompt.sending',
  'prompt.answered',
] as const;

const pairs: readonly (readonly [Spec, Spec])[] = [
  [live, live],
  [turns, turns],
  [live, turns],
  [turns, live],
];

export const SWITCH_STORIES: readonly Script[] = pairs.flatMap(([from, to]): Script[] => {
  const name = `${from.drive}To${to.drive === 'live' ? 'Live' : 'Turns'}`;
  const limited = { spec: from, turnOutcomes: [{ limitedMs: LIMIT_MS }], ends: ['done'] as const };
  const input = switchTo(to);
  return [
    {
      ...limited,
      name: `${name}Switched`,
      inputs: [{ after: 'session.limited', ms: 1_000, input }],
      expectedEvents: EVENTS,
      promptPatterns: { 'p1#2': /^What happened\.\n\nFix/ },
    },
    {
      ...limited,
      name: `${name}SwitchedWithQueue`,
      inputs: [
        { after: 'session.limited', ms: 1_000, input },
        { after: 'session.limited', ms: 1_000, input: p2 },
      ],
      expectedEvents: EVENTS,
      prompts: { p1: ['answered'], p2: ['answered'] },
    },
  ];
});
