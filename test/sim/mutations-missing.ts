// Deliberate mistakes about conversations that are gone.
import type { Mutation } from './mutations.ts';

export const MISSING_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'the next turn starts a lost conversation from scratch',
    story: 'turnsVanished',
    file: 'src/core/next-turn.ts',
    from: '  if (missing) return missing;\n',
    to: '',
  },
  {
    mistake: 'after a crash a lost conversation is started from scratch',
    story: 'liveVanished',
    file: 'src/core/next-recovering.ts',
    from: ' ?? nextMissing(s, snapshot) ?? nextInUse(s, snapshot);\n  if (left)',
    to: ' ?? nextInUse(s, snapshot);\n  if (left)',
  },
  {
    mistake: 'a resume starts a lost conversation from scratch',
    story: 'liveVanished',
    file: 'src/core/next-dormant.ts',
    from: 'const held = nextMissing(s, snapshot) ?? nextInUse(s, snapshot);',
    to: 'const held = nextInUse(s, snapshot);',
  },
  {
    mistake: 'a session with a lost conversation is held forever',
    story: 'turnsVanished',
    file: 'src/core/fold-written.ts',
    from: "body.startFresh === true ? 'given-up' : s.conversation.written",
    to: 's.conversation.written',
  },
  {
    mistake: 'any resume gives up the lost conversation',
    story: 'turnsVanished',
    file: 'src/core/fold-written.ts',
    from: "body.startFresh === true ? 'given-up' : s.conversation.written",
    to: "'given-up'",
  },
  {
    mistake: 'a session that is held for a lost conversation is looked at',
    story: 'liveVanishedStopped',
    file: 'src/core/fold-release.ts',
    from: '[HOST, TRANSCRIPT, ',
    to: '[HOST, ',
  },
];
