import type { Agent } from './agent.ts';
import type { Call, Caller, Used } from './caller.ts';
import { isReadOnly } from './read-only.ts';
import { cutOff, useTool } from './use-tool.ts';

/** The agent itself as a caller of tools. */
export function mainCaller(agent: Agent): Caller {
  const record: Caller['record'] = (result, structured) => agent.conversation.result(result, structured);
  const attach: Caller['attach'] = (attachment) => agent.conversation.attach(attachment);
  return { agent, marks: {}, record, attach, use: useTools };
}

/** Plays the calls of one answer: read-only ones at the same time, the others one after the other. */
export async function useTools(caller: Caller, calls: readonly Call[], signal: AbortSignal): Promise<Used> {
  let used: Used = { is: 'went on' };
  for (const group of groupsOf(calls)) {
    if (used.is === 'stopped') {
      for (const call of group) cutOff(caller, call, signal);
      continue;
    }
    const ends = await Promise.all(group.map(async (call) => ({ call, is: await useTool(caller, call, signal) })));
    for (const { call, is } of ends) {
      if (is === 'stopped') used = { is };
      else if (is === 'deferred' && used.is !== 'stopped') used = { is, call };
    }
  }
  return used;
}

function groupsOf(calls: readonly Call[]): Call[][] {
  const groups: Call[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const isHarmless = isReadOnly(call.tool, call.input);
    const last = groups.at(-1);
    if (isHarmless && isOpen && last !== undefined) last.push(call);
    else groups.push([call]);
    isOpen = isHarmless;
  }
  return groups;
}
