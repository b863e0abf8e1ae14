import type { Fact } from '../../core/fact.ts';
import type { ConversationId, Trouble } from '../../core/session.ts';
import type { ServerReport } from '../seam/server.ts';
import { toolCalled, toolEnded } from '../seam/tool-facts.ts';
import type { ToolPart } from './rows.ts';

/** The report that the conversation was opened. */
export function openedReport(run: number, session: string): ServerReport {
  const conversation = session as ConversationId;
  const says = { type: 'hook.opened', run, conversation, transcript: null, source: 'startup' } as const;
  return { key: `opened ${session}`, says };
}

/** The report that the server received a prompt. */
export function promptedReport(run: number, turnId: string, token: string | null, text: string): ServerReport {
  return { key: `prompted ${turnId}`, says: { type: 'hook.prompted', run, token, turnId, text } };
}

/** The report that a turn was cancelled. */
export function cancelledReport(run: number, turnId: string, reply: string): ServerReport {
  const stopped = { type: 'hook.stopped', run, turnId, reply, trouble: null, more: false } as const;
  return { key: `stopped ${turnId}`, says: { ...stopped, interrupted: true } };
}

/** The report that a turn ended. */
export function stoppedReport(run: number, turnId: string, reply: string, trouble: Trouble | null): ServerReport {
  return { key: `stopped ${turnId}`, says: { type: 'hook.stopped', run, turnId, reply, trouble, more: false } };
}

/** The report that a tool call began or ended. */
export function toolReport(run: number, part: ToolPart, subagent: string | null): ServerReport {
  const { call: id, tool: name, input, result } = part;
  if (result === null) return noted(run, `called ${id}`, toolCalled(run, { id, name, input, subagent }));
  const error = result.isError ? result.text : null;
  return noted(run, `ended ${id}`, toolEnded(run, { id, name, error, tookMs: null }));
}

/** The report that it waits before it retries the model request. */
export function retryReport(run: number, turnId: string, text: string): ServerReport {
  return noted(run, `retry ${turnId}`, { type: 'agent.noticed', run, kind: 'retry', text });
}

/** The report that a sub-agent began, with its kind; null: it ended. */
export function subagentReport(run: number, subagent: string, kind: string | null): ServerReport {
  return kind === null
    ? noted(run, `subagent ended ${subagent}`, { type: 'subagent.ended', run, subagent })
    : noted(run, `subagent ${subagent}`, { type: 'subagent.started', run, subagent, kind });
}

/** The report that the conversation was compacted. */
export function compactedReport(run: number, part: string): ServerReport {
  return noted(run, `compacted ${part}`, { type: 'conversation.compacted', run, trigger: 'auto' });
}

function noted(run: number, key: string, fact: Fact): ServerReport {
  return { key, says: { type: 'hook.noted', run, fact } };
}
