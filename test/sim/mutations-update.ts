// Deliberate mistakes about owners and their updates.
import type { Mutation } from './mutations.ts';

export const UPDATE_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'delivered updates are delivered again',
    story: 'turnsUpdateStartsTurn',
    file: 'src/core/fold-ownership.ts',
    from: "'updates', { queued: [], prompt }",
    to: "'updates', { prompt }",
  },
  {
    mistake: 'updates that came with a prompt are delivered again',
    story: 'liveUpdateWithPrompt',
    file: 'src/core/fold-ownership.ts',
    from: "'updates', { queued: [], prompt }",
    to: "'updates', { queued: isWhole ? [] : queued, prompt }",
  },
  {
    mistake: 'a chain of updates is not bounded',
    story: 'turnsUpdateChain',
    file: 'src/core/next-update.ts',
    from: 'if (chain > (s.spec.spawn?.chainMax ?? CHAIN_MAX))',
    to: 'if (chain < 0)',
  },
  {
    mistake: 'the length of a chain of updates is not counted',
    story: 'liveUpdateChain',
    file: 'src/core/ownership.ts',
    from: 'const chain = s.prompt?.id === prompt ? s.prompt.chain : 0;',
    to: 'const chain = 0;',
  },
  {
    mistake: 'updates that a turn received are delivered again after it',
    story: 'liveInTurnUpdate',
    file: 'src/core/in-turn-update.ts',
    from: 'queued: s.queued.filter(({ position }) => !inTurn.positions.includes(position)),',
    to: 'queued: s.queued,',
  },
  {
    mistake: 'updates that a hook has read count as delivered',
    story: 'turnsUpdateLostInCrash',
    file: 'src/core/next-in-turn-update.ts',
    from: 'append(withdrawn(inTurnUpdate, true))',
    to: 'append(deliveredBody(inTurnUpdate))',
  },
  {
    mistake: 'staged updates are delivered with a prompt and stay staged',
    story: 'liveUpdateNotDelivered',
    file: 'src/core/next-in-turn-update.ts',
    from: "return act({ kind: 'unstage', run: inTurnUpdate.run, update: inTurnUpdate.id });",
    to: 'return append(withdrawn(inTurnUpdate, false));',
  },
  {
    mistake: 'updates that the agent records late are delivered twice',
    story: 'liveUpdateRecordedLate',
    file: 'src/core/next-in-turn-update.ts',
    from: 'phase.sinceMs + WRITTEN_MS',
    to: 'nowMs',
  },
  {
    mistake: 'updates that were staged before a restart are never withdrawn',
    story: 'turnsUpdateNotDelivered',
    file: 'src/core/next-in-turn-update.ts',
    from: 'if (inTurnUpdate === null || !(isOver(s',
    to: 'if (inTurnUpdate === null || phase.at !== undefined || !(isOver(s',
  },
  {
    mistake: 'an owner ends before it gets its updates',
    story: 'liveUpdateStartsTurn',
    file: 'src/core/next-agent.ts',
    from: ' && !isExpecting(s, snapshot)',
    to: '',
  },
];
