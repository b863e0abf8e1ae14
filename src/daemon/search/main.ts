// The indexer: a process of its own, so that reading never holds up the daemon. It ends when the daemon does, and when
// it had nothing to do for a while.
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { allAgents } from '../../agent/all.ts';
import { configuredAgents } from '../../agent/configured.ts';
import { realClock } from '../../base/clock.ts';
import { letOthers } from '../../base/others.ts';
import { indexPath } from './index-file.ts';
import { Indexer } from './pass.ts';
import type { Answered, Told } from './protocol.ts';

/** Others come first. */
const NICENESS = 10;
/** How much of the time a pass may work that nobody waits for. */
const SHARE = 0.25;
const PROGRESS_MS = 100;

const clock = realClock();
let indexer: Indexer | null = null;
let isWanted = false;
let restedMs = clock.steadyMs();
let progressMs = 0;

const pace = {
  async rest(): Promise<void> {
    const workedMs = clock.steadyMs() - restedMs;
    if (!isWanted && workedMs > 0) await clock.sleep(workedMs * (1 / SHARE - 1));
    else await letOthers();
    restedMs = clock.steadyMs();
  },
  progress(done: number, total: number): void {
    if (clock.steadyMs() - progressMs < PROGRESS_MS) return;
    progressMs = clock.steadyMs();
    answer({ is: 'progress', done, total });
  },
  nowMs: () => clock.wallMs(),
};

try {
  setPriority(NICENESS);
} catch {
  // Some containers forbid it.
}
let last: Promise<void> = Promise.resolve();
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const told = JSON.parse(line) as Told;
  if (told.do === 'hurry') isWanted = true;
  else last = last.then(() => handle(told)).catch((error) => answer({ is: 'failed', why: String(error) }));
});
// The daemon has ended, or wants this to end. What is not written yet is read again.
lines.on('close', () => process.exit(0));

async function handle(told: Exclude<Told, { do: 'hurry' }>): Promise<void> {
  if (told.do === 'begin') {
    const { state, bytesMax, env, folders } = told;
    // They are read, never started, so the paths of their programs do not matter.
    const agents = { ...configuredAgents(told.agents, ''), ...allAgents(process.execPath, () => '') };
    indexer = new Indexer({ state, path: indexPath(state), bytesMax, env, folders, agents });
    return answer({ is: 'ready', upTo: indexer.upTo() });
  }
  if (indexer === null) throw new Error('a pass before the beginning');
  isWanted = told.isWanted;
  restedMs = clock.steadyMs();
  answer({ is: 'done', result: await indexer.pass(told, pace) });
}

function answer(answered: Answered): void {
  process.stdout.write(`${JSON.stringify(answered)}\n`);
}
