import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';

/** Slow, late, calls most hooks twice and some never. Every drive must cope with that. */
export const RUDE: Partial<Manners> = {
  startMs: 300,
  readyMs: 300,
  hookMs: 30,
  doubled: true,
  silent: ['PostToolUse', 'SessionEnd'],
  lostEnters: 1,
  flushMs: 300,
  leaveChild: true,
};

/** No hook reports that a turn started or ended: only the files and the screen of the agent do. */
export const MUTE: Partial<Manners> = {
  silent: ['SessionStart', 'UserPromptSubmit', 'Stop', 'StopFailure', 'SessionEnd'],
};
