import { statSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { runOf } from '../core/fold.ts';
import type { Session } from '../core/session.ts';
import { keepWithin } from '../terminal/output-cap.ts';
import { runFolder } from '../terminal/run-folder.ts';

export interface CapParts {
  readonly live: () => readonly Session[];
  readonly clock: Clock;
  readonly state: string;
  readonly log: Log;
}

const LOOK_MS = 1_000;

/** Keeps the output of every live run within its cap by freeing the oldest, once a second. */
export function startCaps(parts: CapParts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loop = keepLooking(parts, stopping.signal);
  return {
    stop() {
      stopping.abort();
      return loop;
    },
  };
}

async function keepLooking(parts: CapParts, stopping: AbortSignal): Promise<void> {
  const told = new Set<string>();
  while (!stopping.aborted) {
    for (const session of parts.live()) {
      const files = runFolder(parts.state, { session: session.id, run: runOf(session) });
      const { outputBytesMax } = session.spec.policy;
      // The size alone says in microseconds that there is nothing to do.
      if ((statSync(files.output, { throwIfNoEntry: false })?.size ?? 0) <= outputBytesMax) continue;
      const kept = await keepWithin(files, outputBytesMax);
      if (kept.problem === null || told.has(kept.problem)) continue;
      told.add(kept.problem);
      parts.log('output cannot be freed', { session: session.id, why: kept.problem });
    }
    await parts.clock.sleep(LOOK_MS, stopping);
  }
}
