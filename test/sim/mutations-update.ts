// Deliberate mistakes about owners and their news.
import type { Mutation } from './mutations.ts';

export const UPDATE_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'news that were told are told again',
    story: 'turnsWoken',
    file: 'src/core/fold-ownership.ts',
    from: "'updates', { queued: [], prompt }",
    to: "'updates', { prompt }",
  },
  {
    mistake: 'news that came with a prompt come again',
    story: 'liveToldAlong',
    file: 'src/core/fold-ownership.ts',
    from: "'updates', { queued: [], prompt }",
    to: "'updates', { queued: isWhole ? [] : queued, prompt }",
  },
  {
    mistake: 'wakes go round in circles',
    story: 'turnsWakeCircle',
    file: 'src/core/next-update.ts',
    from: 'if (chain > (s.spec.spawn?.chainMax ?? CHAIN_MAX))',
    to: 'if (chain < 0)',
  },
  {
    mistake: 'nobody counts the wakes that led to a wake',
    story: 'liveWakeCircle',
    file: 'src/core/ownership.ts',
    from: 'const chain = s.prompt?.id === prompt ? s.prompt.chain : 0;',
    to: 'const chain = 0;',
  },
  {
    mistake: 'what a turn was told is told again when it is over',
    story: 'liveToldInTurn',
    file: 'src/core/in-turn-update.ts',
    from: 'queued: s.queued.filter(({ position }) => !inTurn.positions.includes(position)),',
    to: 'queued: s.queued,',
  },
  {
    mistake: 'what a hook took is believed to be told',
    story: 'turnsLostOnTheWay',
    file: 'src/core/next-in-turn-update.ts',
    from: 'append(withdrawn(inTurnUpdate, true))',
    to: 'append(deliveredBody(inTurnUpdate))',
  },
  {
    mistake: 'what nobody took is told, and stays there to be taken',
    story: 'liveNotTaken',
    file: 'src/core/next-in-turn-update.ts',
    from: "return act({ kind: 'unstage', run: inTurnUpdate.run, update: inTurnUpdate.id });",
    to: 'return append(withdrawn(inTurnUpdate, false));',
  },
  {
    mistake: 'what is written down late is told twice',
    story: 'liveWrittenLate',
    file: 'src/core/next-in-turn-update.ts',
    from: 'phase.sinceMs + WRITTEN_MS',
    to: 'nowMs',
  },
  {
    mistake: 'what is laid out while nobody looked is never taken back',
    story: 'turnsNotTaken',
    file: 'src/core/next-in-turn-update.ts',
    from: 'if (inTurnUpdate === null || !(isOver(s',
    to: 'if (inTurnUpdate === null || phase.at !== undefined || !(isOver(s',
  },
  {
    mistake: 'an owner ends before it was told',
    story: 'liveWoken',
    file: 'src/core/next-agent.ts',
    from: ' && !isExpecting(s, snapshot)',
    to: '',
  },
];
