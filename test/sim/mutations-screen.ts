// Deliberate mistakes about dialogs and their answers.
import type { Mutation } from './mutations.ts';

export const SCREEN_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'a closing dialog holds the session',
    story: 'liveScreenTimeout',
    file: 'src/core/next-agent.ts',
    from: ' && nowMs - sinceMs > STUCK_MS',
    to: '',
  },
  {
    mistake: 'a denial is recorded as used',
    story: 'liveScreenTimeout',
    file: 'src/core/admit.ts',
    from: 'approval === input.approval && allow && !used',
    to: 'approval === input.approval && !used',
  },
  {
    mistake: 'a denial on the screen is recorded as missed',
    story: 'liveScreenDenied',
    file: 'src/core/admit.ts',
    from: '    if (input.closed === true && shown !== undefined) return admitted(closedBy(s, shown));\n',
    to: '',
  },
];
