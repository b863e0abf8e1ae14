// Deliberate mistakes about the order of the loop: ingest, look, next, act.
import type { Mutation } from './mutations.ts';

const LOOP = 'src/supervisor/loop.ts';

export const INGEST_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'the end of a run is recorded before its earlier reports are ingested',
    story: 'liveExitsWhileLookedAt',
    file: LOOP,
    from: '      await this.#world.ingest(session);\n',
    to: '',
  },
  {
    mistake: 'a turn counts as crashed before its answer is ingested',
    story: 'turnsEndsWhileLookedAt',
    file: LOOP,
    from: '      await this.#world.ingest(session);\n',
    to: '',
  },
  {
    mistake: 'reports that are ingested after a look do not cause another look',
    story: 'liveExitsWhileLookedAt',
    file: LOOP,
    from: 'if (this.#writer.session !== session) return AGAIN;',
    to: '',
  },
  {
    mistake: 'nothing is ingested before a look',
    story: 'turnsEndsWhileLookedAt',
    file: LOOP,
    from: '    await this.#world.ingest(this.#writer.session);\n',
    to: '',
  },
];
