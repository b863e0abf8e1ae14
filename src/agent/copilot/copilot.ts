import type { Agent } from '../seam/agent.ts';
import { spentMessages } from '../seam/spent-messages.ts';
import { copilotActions } from './actions.ts';
import { copilotConversations } from './conversations.ts';
import { copilotGate } from './gate.ts';
import { copilotLaunch } from './launch.ts';
import { copilotProgram } from './program.ts';
import { copilotRecord } from './record.ts';
import { copilotHome, copilotSources } from './sources.ts';
import { copilotListener, copilotStream } from './stream.ts';
import { copilotTurnReader } from './turns.ts';
import { copilotVerdict } from './verdict.ts';

/** GitHub Copilot CLI: one process per turn. */
export const copilot = {
  name: 'copilot',
  program: copilotProgram,
  launch: copilotLaunch,
  turns: {
    isCommand: (text) => /^\s*\//.test(text),
    verdict: copilotVerdict,
    listener: copilotListener,
    stream: copilotStream,
    readsErrors: true,
  },
  actions: copilotActions,
  gate: copilotGate,
  record: { ...copilotRecord, sources: copilotSources, turns: copilotTurnReader },
  images: { turns: 'arguments' },
  conversations: copilotConversations,
  usage: {
    spent: ({ main }, since) => spentMessages(main, since),
    account: (env) => ['copilot', copilotHome(env), env.COPILOT_PROVIDER_BASE_URL ?? ''].join('\n'),
  },
} satisfies Agent;
