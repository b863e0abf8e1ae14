// Deliberate mistakes about calls that an agent was told to go on without.
import type { Mutation } from './mutations.ts';

const FILE = 'src/core/postponed.ts';

export const POSTPONED_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'the agent is not told to go on before it denies the call itself',
    story: 'stdioPostponed',
    file: 'src/core/next-approval.ts',
    from: 'return asked === undefined ? null : append(',
    to: 'return asked === undefined || s.seq > 0 ? null : append(',
  },
  {
    mistake: 'the agent is not told that a postponed call was decided',
    story: 'stdioPostponed',
    file: FILE,
    from: 'if (postponed === undefined) return [decision];',
    to: 'if (postponed === undefined || s.seq > 0) return [decision];',
  },
  {
    mistake: 'a postponed call that was allowed may be made twice',
    story: 'stdioPostponed',
    file: FILE,
    from: '{ postponed: rest, answers: [...s.gate.answers, answer] }',
    to: '{ answers: [...s.gate.answers, answer] }',
  },
  {
    mistake: 'a postponed call that was allowed may be made in any later turn',
    story: 'stdioPostponedIgnored',
    file: FILE,
    from: 'promptOf(approval.id) !== prompt);',
    to: "promptOf(approval.id) !== prompt || prompt !== '');",
  },
  {
    mistake: 'the agent is told to make a call that it has made since',
    story: 'stdioPostponedOvertaken',
    file: FILE,
    from: 'if (told !== undefined)',
    to: 'if (told !== undefined && s.seq < 0)',
  },
  {
    mistake: 'a call that is asked about again before it is decided runs without a decision',
    story: 'stdioPostponedAgain',
    file: FILE,
    from: 'if (allowedSeq === null) {',
    to: 'if (allowedSeq === null && s.seq < 0) {',
  },
  {
    mistake: 'a postponed call stays open for ever when its session is stopped',
    story: 'stdioPostponedStopped',
    file: 'src/core/unanswered.ts',
    from: 'const open = openQuestionsOf(s);',
    to: 'const open = s.gate.approvals;',
  },
  {
    mistake: 'a postponed call is forgotten when the process of its agent dies',
    story: 'stdioPostponed',
    file: 'src/core/fold.ts',
    from: 'gate: { ...s.gate, approvals, answers }, turn',
    to: 'gate: { ...s.gate, approvals, answers, postponed: [] }, turn',
  },
];
