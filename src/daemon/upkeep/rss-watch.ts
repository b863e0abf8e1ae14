import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { runOf, type Session, type SessionId } from '../../core/session.ts';
import { runProcesses } from '../../terminal/end.ts';
import { processMemory } from '../../terminal/process-memory.ts';
import { sharedTable } from '../../terminal/process-table.ts';

export interface MemoryParts {
  readonly clock: Clock;
  readonly state: string;
  readonly log: Log;
  /** Tells that a run uses more than it may. */
  readonly over: (session: SessionId, run: number, bytes: number) => void;
}

/** How often the memory of a run is summed up. */
const EVERY_MS = 5_000;

/** Watches what the runs of bounded sessions have in memory. To be called often: it looks every five seconds. */
export function rssWatch(parts: MemoryParts): (live: readonly Session[]) => void {
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  return (live) => {
    const { clock } = parts;
    if (clock.steadyMs() - lookedAtMs < EVERY_MS) return;
    lookedAtMs = clock.steadyMs();
    for (const session of live) {
      try {
        look(parts, session);
      } catch (error) {
        // A journal that cannot be written now can be later, and the memory is looked at again.
        parts.log('the memory of a run cannot be kept within its bound', { session: session.id, why: String(error) });
      }
    }
  };
}

function look({ state, over }: MemoryParts, session: Session): void {
  const { memoryBytesMax = null } = session.spec.policy;
  if (memoryBytesMax === null || !isRunning(session)) return;
  const run = runOf(session);
  const pids = runProcesses(state, { session: session.id, run }, sharedTable()).map(({ pid }) => pid);
  const bytes = processMemory(pids, memoryBytesMax);
  if (bytes > memoryBytesMax) over(session.id, run, bytes);
}

/** A run that is being ended already is not told of again; between turns there is none. */
function isRunning({ run, phase }: Session): boolean {
  const isEnding = phase.at === 'closing' || phase.at === 'recovering' || phase.at === 'ended';
  return run !== null && run.pid !== null && run.outputBytes === null && !isEnding;
}
