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
  /** Reports that a run uses more memory than allowed. */
  readonly over: (session: SessionId, run: number, bytes: number) => void;
}

/** How often the memory of a run is measured. */
const EVERY_MS = 5_000;

/** Watches the memory of runs with a limit. It is called often, but measures only every five seconds. */
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
        // A journal that cannot be written now may be later, and the memory is measured again.
        parts.log('the memory limit of a run cannot be enforced', { session: session.id, why: String(error) });
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

/** True while a run is active. One that is being ended is not reported again; between turns there is none. */
function isRunning({ run, phase }: Session): boolean {
  const isEnding = phase.at === 'closing' || phase.at === 'recovering' || phase.at === 'ended';
  return run !== null && run.pid !== null && run.outputBytes === null && !isEnding;
}
