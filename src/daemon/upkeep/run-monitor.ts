import { existsSync, statSync } from 'node:fs';
import { runOf, type Session, type SessionId } from '../../core/session.ts';
import { terminalOf } from '../../supervisor/runs.ts';
import { runIdentities } from '../../terminal/look.ts';
import type { OutputFiles } from '../../terminal/output.ts';
import { keepWithin } from '../../terminal/output-cap.ts';
import { type Identity, seemsAlive } from '../../terminal/processes.ts';
import { runFolder, runName } from '../../terminal/run-folder.ts';
import { cappedFiles } from '../views/output-files.ts';
import { type MemoryParts, rssWatch } from './rss-watch.ts';

export interface RunMonitorParts extends MemoryParts {
  readonly live: () => readonly Session[];
  readonly nudge: (session: SessionId) => void;
}

interface World extends RunMonitorParts {
  /** What is known of each run. Read once: reading four files for each each second would be most of our work. */
  readonly known: Map<string, Known>;
  readonly memory: (live: readonly Session[]) => void;
  /** What was said already. */
  readonly told: Set<string>;
}

interface Known {
  /** The mark of a sink that was replaced; only tmux has one. */
  readonly torn: string | null;
  readonly outputs: readonly OutputFiles[];
  /** Who keeps it going. */
  readonly keepers: readonly Identity[];
}

const LOOK_MS = 1_000;

/**
 * Looks at every live run once a second. A launcher or holder that was killed cannot tell anybody; output
 * that outgrows its cap is freed from its beginning; an output sink that was replaced has left a mark; a run that uses
 * more memory than it may is told of.
 */
export function startRunMonitor(parts: RunMonitorParts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const looking = watch({ ...parts, known: new Map(), told: new Set(), memory: rssWatch(parts) }, stopping.signal);
  return {
    stop() {
      stopping.abort();
      return looking;
    },
  };
}

async function watch(world: World, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const live = world.live().filter((session) => session.run?.pid);
    for (const session of live) {
      const known = knownOf(world, session);
      const isWell = known.keepers.every(seemsAlive) && !(known.torn !== null && existsSync(known.torn));
      if (!isWell) world.nudge(session.id);
      await keepCap(world, session, known.outputs);
    }
    world.memory(live);
    forget(world, live);
    await world.clock.sleep(LOOK_MS, stopping);
  }
}

function knownOf({ state, known }: World, session: Session): Known {
  const ref = { session: session.id, run: runOf(session) };
  const before = known.get(runName(ref));
  if (before !== undefined) return before;
  const { launcher, holder } = runIdentities(state, ref);
  const keepers = [launcher, holder].filter((identity) => identity !== null);
  const torn = terminalOf(session) === 'tmux' ? runFolder(state, ref).torn : null;
  const fresh = { torn, outputs: cappedFiles(state, session), keepers };
  known.set(runName(ref), fresh);
  return fresh;
}

async function keepCap(world: World, session: Session, outputs: readonly OutputFiles[]): Promise<void> {
  const { outputBytesMax } = session.spec.policy;
  for (const files of outputs) {
    // The size alone says in microseconds that there is nothing to do.
    if ((statSync(files.output, { throwIfNoEntry: false })?.size ?? 0) <= outputBytesMax) continue;
    const { problem } = await keepWithin(files, outputBytesMax);
    if (problem === null || world.told.has(problem)) continue;
    world.told.add(problem);
    world.log('output cannot be freed', { session: session.id, why: problem });
  }
}

function forget({ known }: World, live: readonly Session[]): void {
  const runs = new Set(live.map((session) => runName({ session: session.id, run: runOf(session) })));
  for (const key of known.keys()) if (!runs.has(key)) known.delete(key);
}
