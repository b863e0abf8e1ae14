// Deliberate mistakes about approvals that wait without a process.
import type { Mutation } from './mutations.ts';

export const DEFERRED_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'a question stays open after the agent that asked it died',
    story: 'liveNobodyAnswers',
    file: 'src/core/next.ts',
    from: "if (step.do === 'append') return append(...withMissed(s, step.events));",
    to: "if (step.do === 'append') return step;",
  },
  {
    mistake: 'a deferred turn is resumed without an answer',
    story: 'turnsDeferredStopped',
    file: 'src/core/next-deferred.ts',
    from: 'return s.gate.approvals.length > 0 || s.attendance.control !== null ? wait(null) : null;',
    to: 'return s.attendance.control !== null ? wait(null) : null;',
  },
  {
    mistake: 'a deferred question is dropped when its run ends',
    story: 'turnsDeferred',
    file: 'src/core/deferred.ts',
    from: "if (deferred?.is !== 'waiting') return",
    to: "if (deferred?.is !== 'dropped') return",
  },
  {
    mistake: 'the prompt is sent again to an agent that continues with a deferred call',
    story: 'turnsDeferred',
    file: 'src/core/steps.ts',
    from: "if (s.gate.deferred?.is === 'waiting') return [{ ...starting(s, snapshot), silent: true }];",
    to: '',
  },
  {
    mistake: 'a call whose turn was interrupted while it waited is asked about again',
    story: 'turnsDeferredInterrupted',
    file: 'src/core/admit-hook.ts',
    from: "deferred?.is === 'dropped' && deferred.call === call",
    to: "deferred?.is === 'dropped' && deferred.call === ''",
  },
  {
    mistake: 'the end of a turn that was interrupted while it waited answers the next prompt',
    story: 'turnsDeferredInterrupted',
    file: 'src/core/admit-hook.ts',
    from: "s.spec.drive === 'turns' && s.gate.deferred === null",
    to: "s.spec.drive === 'turns'",
  },
  {
    mistake: 'a decision is used twice',
    story: 'turnsDeferredDoubled',
    file: 'src/core/admit.ts',
    from: 'approval === input.approval && allow && !used);',
    to: 'approval === input.approval);',
  },
  {
    mistake: 'a repeated question gets a second id',
    story: 'turnsDeferredDoubled',
    file: 'src/core/admit-hook.ts',
    from: "hook !== '' && hook === input.hook",
    to: "hook === '' && hook === input.hook",
  },
];
