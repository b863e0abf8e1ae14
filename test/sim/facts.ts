// The dialogs of the fake agent, and what it reports about tools and sub-agents.
import type { Fact } from '../../src/core/fact.ts';
import type { Turn } from './process.ts';
import type { World } from './world.ts';

export const TRUST = { kind: 'trust', text: 'Say whether it may' };
export const QUESTION = { kind: 'question', text: 'Choose' };
export const PERMISSION = { kind: 'permission', about: 'tool', text: 'May it?' } as const;

/** Reports a sub-agent that keeps working after the turn, if the script has one. */
export function noteSubagent(world: World, run: number): void {
  const { subagentMs } = world.script;
  if (subagentMs === undefined) return;
  const note = (fact: Fact): void => world.hook({ type: 'hook.noted', run, fact });
  note({ type: 'subagent.started', run, subagent: `a${run}`, kind: 'helper' });
  world.later(subagentMs, run, () => note({ type: 'subagent.ended', run, subagent: `a${run}` }));
}

/** Reports the start or the end of a tool call, if the script asks for it. */
export function noteTool(world: World, run: number, turn: Turn, type: 'tool.called' | 'tool.ended'): void {
  const { tokens, allowed } = turn;
  // A denied call does not run, and is not reported.
  if (!world.script.tool || !allowed) return;
  const fact = { run, call: `${tokens[0]}/t`, tool: 'Bash' };
  const called = { ...fact, type: 'tool.called', input: 'npm test', subagent: null } as const;
  const ended = { ...fact, type: 'tool.ended', error: null, tookMs: 1 } as const;
  world.hook({ type: 'hook.noted', run, fact: type === 'tool.called' ? called : ended });
}
