// Deliberate mistakes about conversations whose ids the agent had not reported when its process ended.
import type { Mutation } from './mutations.ts';

export const SEARCH_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'a conversation that the search found is not opened',
    story: 'turnsUnnamedLater',
    file: 'src/core/next-missing.ts',
    from: '    nextFound(s, snapshot) ??\n',
    to: '',
  },
  {
    mistake: 'several candidates count as none',
    story: 'turnsUnnamedSeveral',
    file: 'src/core/next-missing.ts',
    from: '    nextUnfound(s, snapshot) ??\n',
    to: '',
  },
  {
    mistake: 'a search that failed counts as one that found nothing',
    story: 'liveUnnamedLater',
    file: 'src/core/next-search.ts',
    from: "search?.is === 'unknown'",
    to: 'search === null',
  },
  {
    mistake: 'no conversation is searched for once there is a reply',
    story: 'turnsUnnamedSaid',
    file: 'src/core/next-turn.ts',
    from: ' ?? nextFound(s, snapshot);\n  if (first)',
    to: ';\n  if (first)',
  },
  {
    mistake: 'an undecided search is never repeated',
    story: 'turnsUnnamedLater',
    file: 'src/core/next-agent.ts',
    from: '  if (phase.why.kind === UNFOUND) return nextSearched(s, snapshot, nowMs);\n',
    to: '',
  },
  {
    mistake: 'an undecided search releases the session',
    story: 'turnsUnnamedSeveral',
    file: 'src/core/next-search.ts',
    from: 'if (undecided(s, snapshot) !== null) return wait',
    to: 'if (undecided(s, snapshot) === null) return wait',
  },
  {
    mistake: 'a session that is held for a search is looked at',
    story: 'liveUnnamedSeveral',
    file: 'src/core/fold-release.ts',
    from: 'WORKSPACE, UNFOUND, JOURNAL]',
    to: 'WORKSPACE, JOURNAL]',
  },
  {
    mistake: 'a session is held again after a person chose to start fresh',
    story: 'turnsUnnamedFresh',
    file: 'src/core/fold.ts',
    from: 'startedFresh(body.startFresh ? sentAfresh(s) : s)',
    to: 'startedFresh(s)',
  },
  {
    mistake: 'every release sends the prompt as a new one',
    story: 'turnsUnnamedLater',
    file: 'src/core/fold.ts',
    from: 'startedFresh(body.startFresh ? sentAfresh(s) : s)',
    to: 'startedFresh(sentAfresh(s))',
  },
  {
    mistake: 'a prompt that was answered while the session was held is continued',
    story: 'turnsUnnamedAnsweredLater',
    file: 'src/core/next-turn.ts',
    from: '  if (over) return append(...over);\n  if (!snapshot.slot)',
    to: '  if (!snapshot.slot)',
  },
  {
    mistake: 'an unreadable transcript counts as proof that a prompt did not arrive',
    story: 'turnsUnread',
    file: 'src/core/next-search.ts',
    from: "isUnread !== true || s.spec.drive !== 'turns'",
    to: 'isUnread !== false',
  },
];
