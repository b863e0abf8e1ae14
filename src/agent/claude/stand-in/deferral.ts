import type { Agent } from './agent.ts';
import type { Call } from './caller.ts';
import { type Fields, fieldsOf, listOf, textOf } from './json.ts';

const TYPE = 'hook_deferred_tool';

/** The attachment that marks a call as deferred. */
export function deferralOf(agent: Agent, { id, tool, input }: Call): Fields {
  const about = { hookName: 'settings', hookEvent: 'PreToolUse', permissionMode: agent.parts.options.mode };
  return { type: TYPE, toolUseID: id, toolName: tool, toolInput: input, ...about };
}

/** The deferred call that a conversation ended with; null when there is none. */
export function deferredIn(past: readonly Fields[]): Call | null {
  const note = fieldsOf(past.findLast(({ attachment }) => fieldsOf(attachment).type === TYPE)?.attachment);
  const id = textOf(note.toolUseID);
  if (id === null || past.some((line) => isResultOf(line, id))) return null;
  return { id, tool: textOf(note.toolName) ?? '', input: fieldsOf(note.toolInput) };
}

function isResultOf(line: Fields, id: string): boolean {
  return listOf(fieldsOf(line.message).content).some((block) => fieldsOf(block).tool_use_id === id);
}
