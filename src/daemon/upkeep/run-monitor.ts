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
  /** What is known of each run. Read once: reading four files per run each second would be most of our work. */
  readonly known: Map<string, Known>;
  readonly memory: (live: readonly Session[]) => void;
  /** Problems that were already logged. */
  readonly logged: Set<string>;
}

interface Known {
  /** The file that shows that a sink was replaced; only tmux has one. */
  readonly torn: string | null;
  readonly outputs: readonly OutputFiles[];
  /** The processes that keep the run alive. */
  readonly keepers: readonly Identity[];
}

const LOOK_MS = 1_000;

/**
 * Checks every live run once a second. A killed launcher or holder cannot report it; output beyond its cap is freed
 * from the beginning; a replaced output sink leaves a file; a run that uses more memory than allowed is reported.
 * more memory than it may is told of.
 */
export function startRunMonitor(parts: RunMonitorParts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const looking = watch({ ...parts, known: new Map(), logged: new Set(), memory: rssWatch(parts) }, stopping.signal);
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
    // The size alone shows within microseconds that there is nothing to do.
    if ((statSync(files.output, { throwIfNoEntry: false })?.size ?? 0) <= outputBytesMax) continue;
    const { problem } = await keepWithin(files, outputBytesMax);
    if (problem === null || world.logged.has(problem)) continue;
    world.logged.add(problem);
    world.log('output cannot be freed', { session: session.id, why: problem });
  }
}

function forget({ known }: World, live: readonly Session[]): void {
  const runs = new Set(live.map((session) => runName({ session: session.id, run: runOf(session) })));
  for (const key of known.keys()) if (!runs.has(key)) known.delete(key);
}
