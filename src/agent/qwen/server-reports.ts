import type { Fact } from '../../core/fact.ts';
import { asFields, asText, type Fields } from '../seam/json.ts';
import type { ServerReport } from '../seam/server.ts';
import { toolCalled, toolEnded } from '../seam/tool-facts.ts';
import type { TurnEnd } from '../seam/turns.ts';
import type { OpenTool } from './server-state.ts';
import { openedBy } from './stream.ts';

/** The report that the conversation was opened. */
export function openedReport(run: number, conversation: string): ServerReport {
  return { key: `opened ${conversation}`, says: openedBy(run, conversation) };
}

/** The report that Qwen Code works on a prompt. */
export function promptedReport(run: number, token: string): ServerReport {
  return { key: `prompted ${token}`, says: { type: 'hook.prompted', run, token, turnId: null, text: '' } };
}

/** The report that the turn of a prompt ended. */
export function stoppedReport(run: number, token: string, { turn, reply, trouble }: TurnEnd): ServerReport {
  const stopped = { type: 'hook.stopped', run, turnId: null, reply, trouble: trouble ?? null, more: false } as const;
  return { key: `stopped ${token}`, says: turn === 'interrupted' ? { ...stopped, interrupted: true } : stopped };
}

/** The report that a call began. */
export function calledReport(run: number, id: string, { name, input }: OpenTool): ServerReport {
  return noted(run, `called ${id}`, toolCalled(run, { id, name, input, subagent: null }));
}

/** The report that a call ended, with the content of its result. */
export function endedReport(run: number, id: string, name: string, block: Fields): ServerReport {
  const text = asText(block.content) ?? asText(asFields(block.content)?.text) ?? 'it failed';
  const error = block.is_error === true ? text : null;
  return noted(run, `ended ${id}`, toolEnded(run, { id, name, error, tookMs: null }));
}

function noted(run: number, key: string, fact: Fact): ServerReport {
  return { key, says: { type: 'hook.noted', run, fact } };
}
