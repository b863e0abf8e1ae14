// Deliberate mistakes about the order of the loop: ingest, look, next, act.
import type { Mutation } from './mutations.ts';

const LOOP = 'src/supervisor/loop.ts';

export const INGEST_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'an end is believed before what was reported before it is ingested',
    story: 'liveExitsWhileLookedAt',
    file: LOOP,
    from: "if (session.run !== null && seen.terminal.is !== 'alive') await this.#world.ingest(session);",
    to: '',
  },
  {
    mistake: 'a turn counts as crashed before its answer is ingested',
    story: 'turnsEndsWhileLookedAt',
    file: LOOP,
    from: "if (session.run !== null && seen.terminal.is !== 'alive') await this.#world.ingest(session);",
    to: '',
  },
  {
    mistake: 'what is ingested after a look does not make it look again',
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
