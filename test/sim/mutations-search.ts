// Deliberate mistakes about conversations that the agent had not named when its process ended.
import type { Mutation } from './mutations.ts';

export const SEARCH_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'a conversation that was found is not taken for opened',
    story: 'turnsUnnamedLater',
    file: 'src/core/next-missing.ts',
    from: '    nextFound(s, snapshot) ??\n',
    to: '',
  },
  {
    mistake: 'one of several conversations is as good as none',
    story: 'turnsUnnamedSeveral',
    file: 'src/core/next-missing.ts',
    from: '    nextUnfound(s, snapshot) ??\n',
    to: '',
  },
  {
    mistake: 'what cannot be searched is taken for searched',
    story: 'liveUnnamedLater',
    file: 'src/core/next-search.ts',
    from: "search?.is === 'unknown'",
    to: 'search === null',
  },
  {
    mistake: 'an answer makes the name of its conversation unnecessary',
    story: 'turnsUnnamedSaid',
    file: 'src/core/next-turn.ts',
    from: ' ?? nextFound(s, snapshot);\n  if (first)',
    to: ';\n  if (first)',
  },
  {
    mistake: 'a search that decided nothing is never made again',
    story: 'turnsUnnamedLater',
    file: 'src/core/next-agent.ts',
    from: '  if (phase.why.kind === UNFOUND) return nextSearched(s, snapshot, nowMs);\n',
    to: '',
  },
  {
    mistake: 'a search that decided nothing releases what is held for it',
    story: 'turnsUnnamedSeveral',
    file: 'src/core/next-search.ts',
    from: 'if (undecided(s, snapshot) !== null) return wait',
    to: 'if (undecided(s, snapshot) === null) return wait',
  },
  {
    mistake: 'what is held for a search has a process to look at',
    story: 'liveUnnamedSeveral',
    file: 'src/core/fold-release.ts',
    from: 'WORKSPACE, UNFOUND, JOURNAL]',
    to: 'WORKSPACE, JOURNAL]',
  },
  {
    mistake: 'a person who starts afresh is asked again',
    story: 'turnsUnnamedFresh',
    file: 'src/core/fold.ts',
    from: 'startedFresh(body.startFresh ? sentAfresh(s) : s)',
    to: 'startedFresh(s)',
  },
  {
    mistake: 'every release sends the prompt afresh',
    story: 'turnsUnnamedLater',
    file: 'src/core/fold.ts',
    from: 'startedFresh(body.startFresh ? sentAfresh(s) : s)',
    to: 'startedFresh(sentAfresh(s))',
  },
  {
    mistake: 'what was answered while it was held is continued',
    story: 'turnsUnnamedAnsweredLater',
    file: 'src/core/next-turn.ts',
    from: '  if (over) return append(...over);\n  if (!snapshot.slot)',
    to: '  if (!snapshot.slot)',
  },
  {
    mistake: 'what nobody can read is taken for not received',
    story: 'turnsUnread',
    file: 'src/core/next-search.ts',
    from: "isUnread !== true || s.spec.drive !== 'turns'",
    to: 'isUnread !== false',
  },
];
