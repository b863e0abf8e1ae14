// Deliberate mistakes about terminals that die.
import type { Mutation } from './mutations.ts';

export const TERMINAL_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'a dead terminal counts as an exit by a person',
    story: 'liveTerminalDiesIdle',
    file: 'src/agent/claude/verdict.ts',
    from: "  if (terminalGone) return 'crashed';\n  return personSeen ? 'left' : 'unknown';",
    to: "  return 'left';",
  },
  {
    mistake: 'a dead terminal counts toward the limit of resumes',
    story: 'liveTerminalDies',
    file: 'src/core/steps.ts',
    from: '(isLive && terminalGone) || ',
    to: '',
  },
];
