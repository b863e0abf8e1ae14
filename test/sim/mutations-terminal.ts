// Deliberate mistakes about terminals that die.
import type { Mutation } from './mutations.ts';

export const TERMINAL_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'a terminal that dies counts as a person leaving',
    story: 'liveTerminalDiesIdle',
    file: 'src/agent/claude/verdict.ts',
    from: "  if (terminalGone) return 'crashed';\n  return personSeen ? 'left' : 'unknown';",
    to: "  return 'left';",
  },
  {
    mistake: 'a terminal that dies counts against its session',
    story: 'liveTerminalDies',
    file: 'src/core/steps.ts',
    from: '(isLive && terminalGone) || ',
    to: '',
  },
];
