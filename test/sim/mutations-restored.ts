// Deliberate mistakes about journals that were rebuilt or restored.
import type { Mutation } from './mutations.ts';

export const RESTORED_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'a restored session starts by itself',
    story: 'turnsRestoredqueued',
    file: 'src/core/restored.ts',
    from: '  if (!isWithout(s, snapshot) && !isIntent(s, step)) return step;\n',
    to: '  if (!isHeld) return step;\n',
  },
  {
    mistake: 'a restored session never continues',
    story: 'liveRestoredqueued',
    file: 'src/core/fold-release.ts',
    from: 's.restored && !isOfJournal(s)',
    to: 's.restored',
  },
];
