import type { Fact } from '../../core/fact.ts';
import type { ConversationId, Trouble } from '../../core/session.ts';
import type { ServerReport } from '../seam/server.ts';
import { toolCalled, toolEnded } from '../seam/tool-facts.ts';
import type { AcpTool } from './dialect.ts';

/** The report that the conversation was opened. Where it is stored is not said. */
export function openedReport(run: number, session: string): ServerReport {
  const conversation = session as ConversationId;
  const says = { type: 'hook.opened', run, conversation, transcript: null, source: 'startup' } as const;
  return { key: `opened ${session}`, says };
}

/** The report that the agent has begun with a prompt of ours. The token stands for its turn, which has no id. */
export function promptedReport(run: number, token: string): ServerReport {
  return { key: `prompted ${token}`, says: { type: 'hook.prompted', run, token, turnId: token, text: '' } };
}

/** How a turn ended. */
export interface TurnOver {
  readonly token: string;
  readonly reply: string;
  readonly trouble: Trouble | null;
  readonly isCancelled: boolean;
}

/** The report that a turn ended. */
export function stoppedReport(run: number, { token, reply, trouble, isCancelled }: TurnOver): ServerReport {
  const stopped = { type: 'hook.stopped', run, turnId: token, reply, trouble, more: false } as const;
  return { key: `stopped ${token}`, says: isCancelled ? { ...stopped, interrupted: true } : stopped };
}

/** The report that a tool call began. */
export function calledReport(run: number, id: string, { name, input }: AcpTool): ServerReport {
  return noted(run, `called ${id}`, toolCalled(run, { id, name, input, subagent: null }));
}

/** The report that a tool call ended. */
export function endedReport(run: number, id: string, name: string, error: string | null): ServerReport {
  return noted(run, `ended ${id}`, toolEnded(run, { id, name, error, tookMs: null }));
}

function noted(run: number, key: string, fact: Fact): ServerReport {
  return { key, says: { type: 'hook.noted', run, fact } };
}
