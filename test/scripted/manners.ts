import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';

/** An agent on a bad day: slow, late, says most things twice and some never. Whoever drives it must get along. */
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

/** An agent that never tells that a turn began or ended: only its files and its screen do. */
export const MUTE: Partial<Manners> = {
  silent: ['SessionStart', 'UserPromptSubmit', 'Stop', 'StopFailure', 'SessionEnd'],
};
