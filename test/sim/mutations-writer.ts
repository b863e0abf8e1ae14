// Deliberate mistakes about conversations that another process has open.
import type { Mutation } from './mutations.ts';

export const WRITER_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'a prompt is typed while another process writes',
    story: 'liveOpenElsewhere',
    file: 'src/core/next-prompt.ts',
    from: '  if (behind) return behind;\n',
    to: '',
  },
  {
    mistake: 'a turn is started while another process writes',
    story: 'turnsOpenElsewhere',
    file: 'src/core/next-turn.ts',
    from: ' ?? nextBehind(snapshot, prompt, nowMs);',
    to: ';',
  },
  {
    mistake: 'an agent is resumed while another process writes',
    story: 'liveCrashOpenElsewhere',
    file: 'src/core/next-recovering.ts',
    from: ' ?? nextInUse(s, snapshot);\n  if (left)',
    to: ';\n  if (left)',
  },
  {
    mistake: 'a prompt is sent to a process that has not read what another one wrote',
    story: 'liveContinuedElsewhere',
    file: 'src/core/next-prompt.ts',
    from: '  if (ahead) return ahead;\n',
    to: '',
  },
  {
    mistake: 'a session stays held after another process closed its conversation',
    story: 'liveCrashOpenElsewhere',
    file: 'src/core/next-agent.ts',
    from: '  if (phase.why.kind === IN_USE) return nextFreed(s, snapshot, nowMs);\n',
    to: '  if (phase.why.kind === IN_USE) return wait(null);\n',
  },
];
