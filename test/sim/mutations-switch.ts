// Deliberate mistakes about another agent that takes over.
import type { Mutation } from './mutations.ts';

export const SWITCH_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'another agent takes over while the first one is alive',
    story: 'liveToTurnsSwitched',
    file: 'src/core/next-switch.ts',
    from: "if (snapshot.terminal.is === 'alive' || snapshot.strayProcesses > 0)",
    to: 'if (snapshot.strayProcesses > 0)',
  },
  {
    mistake: 'the agent that takes over is told to continue something that it never heard of',
    story: 'turnsToTurnsSwitched',
    file: 'src/core/say.ts',
    from: 'prompt.turn > (prompt.firstTurn ?? 1)',
    to: 'prompt.turn > 1',
  },
  {
    mistake: 'a prompt that was queued before the switch is lost with it',
    story: 'turnsToLiveSwitchedWithQueue',
    file: 'src/core/switch.ts',
    from: 'const prompts = s.prompts.map((p, i) => asNew(p, i === first ? handover : undefined));',
    to: 'const prompts = s.prompts.slice(0, 1).map((p, i) => asNew(p, i === first ? handover : undefined));',
  },
];
