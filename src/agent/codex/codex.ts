import type { Agent } from '../seam/agent.ts';
import type { ServerDrive } from '../seam/server.ts';
import { spentMessages } from '../seam/spent-messages.ts';
import { codexActions } from './actions.ts';
import { codexConversations } from './conversations.ts';
import { findCodex } from './find.ts';
import { codexGate } from './gate.ts';
import { codexLaunch } from './launch.ts';
import { codexLive } from './live-drive.ts';
import { codexProgram } from './program.ts';
import { codexRecord } from './record.ts';
import { codexServer } from './server.ts';
import { codexHome, codexSources } from './sources.ts';
import { codexListener, codexStream } from './stream.ts';
import { codexTurnReader } from './turns.ts';
import { codexVerdict } from './verdict.ts';

/** Codex: one process per turn, its own screen, or a server that asks before every call. */
export const codex = {
  name: 'codex',
  program: codexProgram,
  launch: codexLaunch,
  turns: { isCommand: () => false, verdict: codexVerdict, listener: codexListener, stream: codexStream },
  live: codexLive,
  server: codexServer as ServerDrive<unknown>,
  actions: codexActions,
  gate: codexGate,
  record: { ...codexRecord, sources: codexSources, find: findCodex, turns: codexTurnReader },
  usage: { spent: ({ main }, since) => spentMessages(main, since), account: accountOf },
  conversations: codexConversations,
  images: { turns: 'arguments', server: 'message' },
  // When the model refuses a conversation as too long, Codex takes it for full, and compacts before it asks again.
  compact: { by: 'next-turn' },
  fork: true,
} satisfies Agent;

/** The account: where the login is stored, or the variables that replace it. */
function accountOf(env: Readonly<Record<string, string>>): string {
  const words = ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'CODEX_API_KEY'];
  return ['codex', codexHome(env), ...words.map((word) => env[word] ?? '')].join('\n');
}
