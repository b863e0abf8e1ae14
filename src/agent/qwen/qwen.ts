import type { Agent } from '../seam/agent.ts';
import { mentioning } from '../seam/images.ts';
import { messagePiece } from '../seam/piece.ts';
import type { ServerDrive } from '../seam/server.ts';
import { spentMessages } from '../seam/spent-messages.ts';
import { qwenActions } from './actions.ts';
import { isCommand } from './commands.ts';
import { qwenConversations } from './conversations.ts';
import { qwenGate } from './gate.ts';
import { qwenLaunch } from './launch.ts';
import { qwenProgram } from './program.ts';
import { qwenRecord } from './record.ts';
import { qwenServer } from './server.ts';
import { qwenHome, qwenSources } from './sources.ts';
import { qwenListener, qwenStream } from './stream.ts';
import { qwenTurnReader } from './turns.ts';
import { qwenVerdict } from './verdict.ts';

/** Qwen Code: one process per turn, or one that stays and asks before every call. */
export const qwen = {
  name: 'qwen',
  program: qwenProgram,
  launch: qwenLaunch,
  turns: { isCommand, verdict: qwenVerdict, listener: qwenListener, stream: qwenStream, piece: messagePiece },
  server: qwenServer as ServerDrive<unknown>,
  actions: qwenActions,
  gate: qwenGate,
  record: { ...qwenRecord, sources: qwenSources, turns: qwenTurnReader },
  usage: { spent: ({ main }, since) => spentMessages(main, since), account: accountOf },
  conversations: qwenConversations,
  images: { turns: mentioning },
  fork: true,
} satisfies Agent;

/** The account: where the login is stored, or the variables that replace it. */
function accountOf(env: Readonly<Record<string, string>>): string {
  const words = ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'DASHSCOPE_API_KEY', 'BAILIAN_CODING_PLAN_API_KEY'];
  return ['qwen', qwenHome(env), ...words.map((word) => env[word] ?? '')].join('\n');
}
