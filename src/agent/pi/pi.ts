import type { Agent } from '../seam/agent.ts';
import { spentMessages } from '../seam/spent-messages.ts';
import { piActions } from './actions.ts';
import { piConversations } from './conversations.ts';
import { piGate } from './gate.ts';
import { piLaunch } from './launch.ts';
import { piProgram } from './program.ts';
import { piRecord } from './record.ts';
import { piHome, piSources } from './sources.ts';
import { piListener, piStream } from './stream.ts';
import { piTurnReader } from './turns.ts';
import { piVerdict } from './verdict.ts';

/** pi: one process per turn. */
export const pi = {
  name: 'pi',
  program: piProgram,
  launch: piLaunch,
  turns: {
    isCommand: (text) => /^\s*\//.test(text),
    verdict: piVerdict,
    listener: piListener,
    stream: piStream,
    readsErrors: true,
  },
  actions: piActions,
  gate: piGate,
  record: { ...piRecord, sources: piSources, turns: piTurnReader },
  usage: { spent: ({ main }, since) => spentMessages(main, since), account: (env) => `pi\n${piHome(env)}` },
  images: { turns: 'arguments' },
  conversations: piConversations,
  fork: true,
} satisfies Agent;
