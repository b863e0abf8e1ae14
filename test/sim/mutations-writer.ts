// Deliberate mistakes about conversations that another process has open.
import type { Mutation } from './mutations.ts';

export const WRITER_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'a prompt is typed beside another writer',
    story: 'liveOpenElsewhere',
    file: 'src/core/next-prompt.ts',
    from: '  if (behind) return behind;\n',
    to: '',
  },
  {
    mistake: 'a turn is begun beside another writer',
    story: 'turnsOpenElsewhere',
    file: 'src/core/next-turn.ts',
    from: ' ?? nextBehind(snapshot, prompt, nowMs);',
    to: ';',
  },
  {
    mistake: 'an agent is resumed beside another writer',
    story: 'liveCrashOpenElsewhere',
    file: 'src/core/next-recovering.ts',
    from: ' ?? nextInUse(s, snapshot);\n  if (left)',
    to: ';\n  if (left)',
  },
  {
    mistake: 'a prompt is sent to a process that has not read what another one wrote',
    story: 'liveGoneOnElsewhere',
    file: 'src/core/next-prompt.ts',
    from: '  if (ahead) return ahead;\n',
    to: '',
  },
  {
    mistake: 'what another process had open stays held',
    story: 'liveCrashOpenElsewhere',
    file: 'src/core/next-agent.ts',
    from: '  if (phase.why.kind === IN_USE) return nextFreed(s, snapshot, nowMs);\n',
    to: '  if (phase.why.kind === IN_USE) return wait(null);\n',
  },
];
