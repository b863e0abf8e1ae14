import type { Agent } from '../seam/agent.ts';
import type { ServerDrive } from '../seam/server.ts';
import { spentMessages } from '../seam/spent-messages.ts';
import { opencodeActions } from './actions.ts';
import { opencodeConversations } from './conversations.ts';
import { findOpencode } from './find.ts';
import { opencodeGate } from './gate.ts';
import { opencodeLaunch } from './launch.ts';
import { opencodeProgram } from './program.ts';
import { opencodeRecord } from './record.ts';
import { opencodeServer } from './server.ts';
import { opencodeHome, opencodeSources } from './sources.ts';
import { opencodeListener, opencodeStream } from './stream.ts';
import { opencodeTurnReader } from './turns.ts';
import { opencodeVerdict } from './verdict.ts';

/** OpenCode: one process per turn, or a server that asks before every call. */
export const opencode = {
  name: 'opencode',
  program: opencodeProgram,
  launch: opencodeLaunch,
  turns: {
    isCommand: () => false,
    verdict: opencodeVerdict,
    listener: opencodeListener,
    stream: opencodeStream,
    reportsCallsLate: true,
  },
  server: opencodeServer as ServerDrive<unknown>,
  actions: opencodeActions,
  gate: opencodeGate,
  record: { ...opencodeRecord, sources: opencodeSources, find: findOpencode, turns: opencodeTurnReader },
  usage: {
    spent: ({ main }, since, said) => {
      const { tokens = 0, usd = null } = said?.used ?? {};
      return spentMessages(main, since) ?? (tokens === 0 ? null : { tokens, usd, upTo: since.message });
    },
    account: (env) => ['opencode', opencodeHome(env), env.OPENCODE_CONFIG ?? ''].join('\n'),
  },
  images: { turns: 'arguments', server: 'message' },
  conversations: opencodeConversations,
  fork: true,
} satisfies Agent;
