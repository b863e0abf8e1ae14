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
    mistake: 'what a turn was told is told again when it is over',
    story: 'liveToldInTurn',
    file: 'src/core/offer.ts',
    from: 'wakes: s.wakes.filter(({ position }) => !offer.positions.includes(position)),',
    to: 'wakes: s.wakes,',
  },
  {
    mistake: 'what a hook took is believed to be told',
    story: 'turnsLostOnTheWay',
    file: 'src/core/next-offer.ts',
    from: 'append(withdrawn(offer, true))',
    to: 'append(toldBody(offer))',
  },
  {
    mistake: 'what nobody took is told, and stays there to be taken',
    story: 'liveNotTaken',
    file: 'src/core/next-offer.ts',
    from: "return act({ kind: 'withdraw', run: offer.run, offer: offer.id });",
    to: 'return append(withdrawn(offer, false));',
  },
  {
    mistake: 'what is written down late is told twice',
    story: 'liveWrittenLate',
    file: 'src/core/next-offer.ts',
    from: 'phase.sinceMs + WRITTEN_MS',
    to: 'nowMs',
  },
  {
    mistake: 'what is laid out while nobody looked is never taken back',
    story: 'turnsNotTaken',
    file: 'src/core/next-offer.ts',
    from: 'if (offer === null || !(isOver(s, offer, snapshot) || isStale(s, offer, snapshot))) return null;',
    to: 'if (offer !== null || phase.at !== undefined) return null;',
  },
  {
    mistake: 'an owner ends before it was told',
    story: 'liveWoken',
    file: 'src/core/next-agent.ts',
    from: ' && !isExpecting(s, snapshot)',
    to: '',
  },
];
