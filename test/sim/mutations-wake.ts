// Deliberate mistakes about owners and their news.
import type { Mutation } from './mutations.ts';

export const WAKE_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'news that were told are told again',
    story: 'turnsWoken',
    file: 'src/core/fold-wake.ts',
    from: 'prompts, wakes: [], wakePrompt',
    to: 'prompts, wakePrompt',
  },
  {
    mistake: 'news that came with a prompt come again',
    story: 'liveToldAlong',
    file: 'src/core/fold-wake.ts',
    from: 'prompts, wakes: [], wakePrompt',
    to: 'prompts, wakes: isWhole ? [] : s.wakes, wakePrompt',
  },
  {
    mistake: 'wakes go round in circles',
    story: 'turnsWakeCircle',
    file: 'src/core/next-wake.ts',
    from: 'if (chain > (s.spec.spawn?.chainMax ?? CHAIN_MAX))',
    to: 'if (chain < 0)',
  },
  {
    mistake: 'nobody counts the wakes that led to a wake',
    story: 'liveWakeCircle',
    file: 'src/core/wake.ts',
    from: 'const chain = s.wakePrompt?.id === prompt ? s.wakePrompt.chain : 0;',
    to: 'const chain = 0;',
  },
  {
    mistake: 'an owner ends before it was told',
    story: 'liveWoken',
    file: 'src/core/next-agent.ts',
    from: ' && !isExpecting(s, sight)',
    to: '',
  },
];
