import type { Gauged } from '../../core/event-body.ts';
import type { Fact } from '../../core/fact.ts';
import type { ConversationId, Trouble } from '../../core/session.ts';
import type { LimitWindow } from '../../core/usage.ts';
import { asText } from '../seam/json.ts';
import type { ServerReport } from '../seam/server.ts';
import { toolCalled, toolEnded } from '../seam/tool-facts.ts';
import type { Tool } from './items.ts';

/** A tool call and its caller. */
export interface Made {
  readonly id: string;
  readonly tool: Tool;
  /** The conversation of the sub-agent that makes the call; null: the main one. */
  readonly subagent: string | null;
}

/** A prompt that the server has received. */
export interface Prompted {
  readonly item: string;
  /** The turn it is in. */
  readonly turnId: string | null;
  /** The id that we sent it with. */
  readonly token: string | null;
  readonly text: string;
}

/** The report that the conversation was opened. */
export function openedReport(run: number, thread: string, path: unknown): ServerReport {
  const conversation = thread as ConversationId;
  const says = { type: 'hook.opened', run, conversation, transcript: asText(path), source: 'startup' } as const;
  return { key: `opened ${thread}`, says };
}

/** The report that the server received a prompt. */
export function promptedReport(run: number, { item, turnId, token, text }: Prompted): ServerReport {
  return { key: `prompted ${item}`, says: { type: 'hook.prompted', run, token, turnId: turnId, text } };
}

/** The report that a turn was cancelled. */
export function cancelledReport(run: number, turnId: string, reply: string): ServerReport {
  const stopped = { type: 'hook.stopped', run, turnId: turnId, reply, trouble: null, more: false } as const;
  return { key: `stopped ${turnId}`, says: { ...stopped, interrupted: true } };
}

/** The report that a turn ended. */
export function stoppedReport(run: number, turnId: string, reply: string, trouble: Trouble | null): ServerReport {
  return { key: `stopped ${turnId}`, says: { type: 'hook.stopped', run, turnId: turnId, reply, trouble, more: false } };
}

/** The report that a tool call began. */
export function calledReport(run: number, { id, tool, subagent }: Made): ServerReport {
  const { name, input } = tool;
  return noted(run, `called ${id}`, toolCalled(run, { id, name, input, subagent }));
}

/** The report that a tool call ended. */
export function endedReport(run: number, { id, tool }: Made, tookMs: number | null): ServerReport {
  const { name, error } = tool;
  return noted(run, `ended ${id}`, toolEnded(run, { id, name, error, tookMs }));
}

/** The report that a sub-agent began, with its kind; null: it ended. */
export function subagentReport(run: number, subagent: string, kind: string | null): ServerReport {
  return kind === null
    ? noted(run, `subagent ended ${subagent}`, { type: 'subagent.ended', run, subagent })
    : noted(run, `subagent ${subagent}`, { type: 'subagent.started', run, subagent, kind });
}

/** The report that the conversation was compacted. */
export function compactedReport(run: number, item: string): ServerReport {
  return noted(run, `compacted ${item}`, { type: 'conversation.compacted', run, trigger: 'auto' });
}

/** The report about the limits of the account. What is reported again is the same report. */
export function gaugedReport(run: number, windows: readonly LimitWindow[]): ServerReport {
  return noted(run, `gauged ${JSON.stringify(windows)}`, { type: 'usage.gauged', run, windows });
}

function noted(run: number, key: string, fact: Fact | Gauged): ServerReport {
  return { key, says: { type: 'hook.noted', run, fact } };
}
