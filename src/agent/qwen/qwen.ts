import type { Agent } from '../seam/agent.ts';
import { spentMessages } from '../seam/spent-messages.ts';
import { qwenActions } from './actions.ts';
import { qwenLaunch } from './launch.ts';
import { qwenProgram } from './program.ts';
import { qwenRecord } from './record.ts';
import { qwenHome, qwenSources } from './sources.ts';
import { qwenListener, qwenStream } from './stream.ts';
import { qwenTurnReader } from './turns.ts';
import { qwenVerdict } from './verdict.ts';

/** Qwen Code. */
export const qwen = {
  name: 'qwen',
  program: qwenProgram,
  launch: qwenLaunch,
  turns: { isCommand, verdict: qwenVerdict, listener: qwenListener, stream: qwenStream },
  actions: qwenActions,
  record: { ...qwenRecord, sources: qwenSources, turns: qwenTurnReader },
  usage: { spent: ({ main }, since) => spentMessages(main, since), account: accountOf },
  fork: true,
} satisfies Agent;

/** A text that begins with a slash is a command in every kind of input. */
export function isCommand(text: string): boolean {
  return /^\s*\//.test(text);
}

/** The account: where the login is stored, or the variables that replace it. */
function accountOf(env: Readonly<Record<string, string>>): string {
  const words = ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'DASHSCOPE_API_KEY', 'BAILIAN_CODING_PLAN_API_KEY'];
  return ['qwen', qwenHome(env), ...words.map((word) => env[word] ?? '')].join('\n');
}
