// What the fake agent asks, and reports of its work.
import type { Fact } from '../../src/core/fact.ts';
import type { Turn } from './process.ts';
import type { World } from './world.ts';

/** What its dialogs are about. */
export const TRUST = { kind: 'trust', text: 'Say whether it may' };
export const QUESTION = { kind: 'question', text: 'Choose' };
export const PERMISSION = { kind: 'permission', about: 'tool', text: 'May it?' } as const;

/** A sub-agent of it works on for so long after the turn, if the story wants that. */
export function noteSubagent(world: World, run: number): void {
  const { subagentMs } = world.script;
  if (subagentMs === undefined) return;
  const note = (fact: Fact): void => world.hook({ type: 'hook.noted', run, fact });
  note({ type: 'subagent.started', run, subagent: `a${run}`, kind: 'helper' });
  world.later(subagentMs, run, () => note({ type: 'subagent.ended', run, subagent: `a${run}` }));
}

/** It says that it calls a tool, or that the tool has ended, if the story wants that. */
export function noteTool(world: World, run: number, turn: Turn, type: 'tool.called' | 'tool.ended'): void {
  const { tokens, allowed } = turn;
  // A denied call does not run, and is not reported.
  if (!world.script.tool || !allowed) return;
  const fact = { run, call: `${tokens[0]}/t`, tool: 'Bash' };
  const called = { ...fact, type: 'tool.called', input: 'npm test', subagent: null } as const;
  const ended = { ...fact, type: 'tool.ended', error: null, tookMs: 1 } as const;
  world.hook({ type: 'hook.noted', run, fact: type === 'tool.called' ? called : ended });
}
